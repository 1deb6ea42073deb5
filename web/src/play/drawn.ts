/** The pieceSet on the board, through the viewer's eyes or, with the lens, as the opponent knows the viewer. */
import type { View } from "../api/types";
import type { PieceStyle, PieceSet, Numerals } from "../board/pieces";

export function visiblePieces(
  view: View,
  pieceSet: PieceSet,
  notes: Readonly<Record<string, string>>,
  numerals: Numerals,
  isEnemyView: boolean,
): Map<string, PieceStyle> {
  const openNow = new Set(
    view.last_turn.filter((event) => event.what === "shown").map((event) => event.piece),
  );
  const barred = new Set((view.barred ?? []).map((one) => one.origin));
  const hasSide = view.viewer === "south" || view.viewer === "north";
  return new Map(
    view.pieces.map((piece) => {
      const isOwn = piece.side === view.viewer;
      const isRemembered =
        hasSide && !isOwn && !!piece.kind && !openNow.has(piece.name) && !piece.is_converted;
      const face = pieceSet.styleOf(
        piece,
        view.viewer,
        { isRemembered: isRemembered, note: notes[piece.name] ?? "", hasWarning: barred.has(piece.cell) },
        numerals,
      );
      const isHiddenFromThem = isEnemyView && isOwn && !piece.is_told;
      return [piece.cell, isHiddenFromThem ? { ...face, label: "", icon: "", isKnown: false } : face];
    }),
  );
}
