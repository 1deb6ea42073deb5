/** A MatchSnapshot and what has applyChange since make the next MatchSnapshot. */
import type { Change, MatchSnapshot } from "./types";

export function applyChange(state: MatchSnapshot, change: Change): MatchSnapshot {
  const view = state.view;
  if (!view) return { ...state, ...change.state };
  const squares = new Map(view.pieces.map((piece) => [piece.cell, piece]));
  for (const [square, piece] of Object.entries(change.squares)) {
    if (piece) squares.set(square, piece);
    else squares.delete(square);
  }
  const pieces = [...squares.values()].sort((one, other) => (one.cell < other.cell ? -1 : 1));
  return { ...state, ...change.state, view: { ...view, ...change.view, pieces } };
}
