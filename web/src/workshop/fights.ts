/** Who beats whom, as a table of attackers and defenders. */
import type { GameInfo, Side } from "../api/types";
import { otherSide } from "../board/pieces";
import { kindsInArmy } from "../play/army";

export type Result = "wins" | "ties" | "loses" | "none";

export interface FightRow {
  attacker: string;
  results: { defender: string; result: Result }[];
}

export const SIGNS: Record<Result, string> = { wins: "✓", ties: "=", loses: "✕", none: "–" };

/** One row for every piece of an army that can attack, one column for every enemy. */
export function fightRows(game: GameInfo, side: Side): FightRow[] {
  const defenders = kindsInArmy(game, otherSide(side)).map(({ id }) => id);
  return game.fights
    .filter((fight) => fight.side === side)
    .map((fight) => ({
      attacker: fight.attacker,
      results: defenders.map((defender) => ({
        defender,
        result: fight.beats.includes(defender)
          ? "wins"
          : fight.ties.includes(defender)
            ? "ties"
            : fight.loses_to.includes(defender)
              ? "loses"
              : "none",
      })),
    }));
}

/** Whether both armies fight alike, so that one table says everything. */
export function isSameForBoth(game: GameInfo): boolean {
  const text = (side: Side): string => JSON.stringify(fightRows(game, side));
  return text("south") === text("north");
}
