/** A short word after a fight in a training game, from what the player was shown. */
import type { News, Side } from "../api/types";
import { t } from "../languages";
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
  if (own.isLost && enemy.isLost) return t("coach.fight.swap");
  if (enemy.isLost) {
    if (!own.isAttacker) return t("coach.fight.held");
    if (isBomb(enemy.kind)) return t("coach.fight.dug");
    return wasShown(history, battle.number, enemy.piece) ? t("coach.fight.spotted") : t("coach.fight.brave");
  }
  if (!own.isLost) return "";
  if (isBomb(enemy.kind)) return t("coach.fight.bomb");
  if (wasShown(history, battle.number, enemy.piece))
    return t(own.isAttacker ? "coach.fight.met-before" : "coach.fight.lost");
  return enemy.kind ? t("coach.fight.now-known") : t("coach.fight.lost");
}

/** Whether a piece was shown before an entry. */
const wasShown = (history: readonly News[], number: number, piece: string): boolean =>
  history.some(
    (news) =>
      news.number < number && news.events.some((event) => event.what === "shown" && event.piece === piece),
  );
