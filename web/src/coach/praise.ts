/** A short word after a fight in a training game, from what the player was shown. */
import type { News, Side } from "../api/types";
import { battleIn } from "../play/battle";

/** The word for the last fight from a number on; empty if there was none. */
export function wordAfterFight(
  history: readonly News[],
  from: number,
  seat: Side,
  isBomb: (kind: string) => boolean,
): string {
  const last = history.findLast((news) => news.number >= from && battleIn(news));
  const battle = last && battleIn(last);
  const own = battle?.fighters.find((fighter) => fighter.side === seat);
  const enemy = battle?.fighters.find((fighter) => fighter.side !== seat);
  if (!battle || !own || !enemy) return "";
  if (own.isLost && enemy.isLost) return "A fair swap.";
  if (enemy.isLost) {
    if (!own.isAttacker) return "Well held!";
    if (isBomb(enemy.kind)) return "Well dug! The way is clear.";
    return wasShown(history, battle.number, enemy.piece) ? "Well spotted!" : "Brave attack, well done!";
  }
  if (!own.isLost) return "";
  if (isBomb(enemy.kind)) return "Ouch! Pieces that never move are often Bombs.";
  if (own.isAttacker && wasShown(history, battle.number, enemy.piece))
    return "Oh dear, you had met that one before.";
  return enemy.kind ? "Never mind. Now you know what it is." : "Never mind.";
}

/** Whether a piece was shown before an entry. */
const wasShown = (history: readonly News[], number: number, piece: string): boolean =>
  history.some(
    (news) =>
      news.number < number && news.events.some((event) => event.what === "shown" && event.piece === piece),
  );
