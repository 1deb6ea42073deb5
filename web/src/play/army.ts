/** Texts and search of the army sheet. */
import type { GameInfo, KindInfo, Side, TrayPiece, View } from "../api/types";
import { otherSide, type PieceSet } from "../board/pieces";
import { t } from "../languages";
import { listWords } from "./preview";

const MAX_NAMED = 4;

/** The kinds of one army in the order of the box. */
export const kindsInArmy = (game: GameInfo, side: Side): KindInfo[] =>
  game.kinds.filter((kind) => kind[side].count > 0);

/** How a piece does when it attacks: "Ties with Dragon. Loses to Trap. Beats all others." */
export function describeFights(game: GameInfo, pieceSet: PieceSet, kind: string, side: Side): string[] {
  const row = game.fights.find((fight) => fight.side === side && fight.attacker === kind);
  if (!row) return [];
  const groups = [
    { result: "beats", kinds: row.beats },
    { result: "ties", kinds: row.ties },
    { result: "loses-to", kinds: row.loses_to },
  ].filter((group) => group.kinds.length > 0);
  const size = Math.max(...groups.map((group) => group.kinds.length));
  const rest =
    size > MAX_NAMED && groups.length > 1 ? groups.find((group) => group.kinds.length === size) : null;
  const named = groups
    .filter((group) => group !== rest)
    .map(({ result, kinds }) => {
      const names = kinds.map((enemy) => pieceSet.name(enemy, otherSide(side)));
      return t(`play.army.fights.${result}`, { pieces: listWords(names) });
    });
  return rest ? [...named, t(`play.army.others.${rest.result}`)] : named;
}

/** Return whether a search text occurs in the name, label, text or powers of a kind. */
export function matchesSearch(kind: KindInfo, side: Side, search: string): boolean {
  const words = search.trim().toLowerCase();
  if (!words) return true;
  const texts = [kind[side].name, kind.label, kind.text];
  for (const power of kind.powers) texts.push(power.name, power.text);
  return texts.some((text) => text.toLowerCase().includes(words));
}

/** How many of a kind are not captured; null if the viewer cannot know. */
export function remainingOf(
  view: View | null | undefined,
  pieceSet: PieceSet,
  kind: string,
  side: Side,
): number | null {
  const captured = (view?.tray ?? []).filter((piece) => piece.side === side);
  if (captured.some((piece) => !piece.kind)) return null;
  return (
    (pieceSet.kinds.get(kind)?.[side].count ?? 0) - captured.filter((piece) => piece.kind === kind).length
  );
}

/** The captured kinds of a side and how many of each, strongest first; "" stands for pieces that are hidden. */
export function capturedKinds(
  tray: readonly TrayPiece[],
  side: Side,
  pieceSet: PieceSet,
): (readonly [kind: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const piece of tray)
    if (piece.side === side) counts.set(piece.kind ?? "", (counts.get(piece.kind ?? "") ?? 0) + 1);
  const rank = (kind: string): number => pieceSet.kinds.get(kind)?.rank ?? -1;
  return [...counts].sort(([a], [b]) => rank(b) - rank(a));
}
