import type { GameInfo, Side } from "../api/types";
import { rowOf } from "../board/geometry";
import { otherSide } from "../board/pieces";

/** The rows that a setup editor shows: from the back row to the row before the enemy's home. */
export function editedRows(game: GameInfo, side: Side): [number, number] {
  const own = game.board.home[side].flat().map(rowOf);
  const other = game.board.home[otherSide(side)].flat().map(rowOf);
  return side === "south"
    ? [0, Math.max(Math.min(...other) - 1, ...own)]
    : [Math.min(Math.max(...other) + 1, ...own), game.board.rows - 1];
}
