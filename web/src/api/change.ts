/** Apply a change from the server to the last snapshot. */
import type { Change, MatchSnapshot } from "./types";

export function applyChange(snapshot: MatchSnapshot, change: Change): MatchSnapshot {
  const view = snapshot.view;
  if (!view) return { ...snapshot, ...change.state };
  const squares = new Map(view.pieces.map((piece) => [piece.cell, piece]));
  for (const [square, piece] of Object.entries(change.squares)) {
    if (piece) squares.set(square, piece);
    else squares.delete(square);
  }
  const pieces = [...squares.values()].sort((a, b) => (a.cell < b.cell ? -1 : 1));
  return { ...snapshot, ...change.state, view: { ...view, ...change.view, pieces } };
}
