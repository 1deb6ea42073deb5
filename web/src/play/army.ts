/** The army sheet in words: who wins when a piece attacks, and which pieces answer to a search. */
import type { GameInfo, KindInfo, Side, View } from "../api/types";
import type { PieceSet } from "../board/pieces";

const MAX_NAMED = 4;
const other = (side: Side): Side => (side === "south" ? "north" : "south");

/** Pieces of one army in the box's order. */
export const kindsInArmy = (game: GameInfo, side: Side): KindInfo[] =>
  game.kinds.filter((kind) => kind[side].count > 0);

/** How a piece fares when it attacks: "Falls to Trap. Both fall with Dragon. Beats all others." */
export function describeFights(game: GameInfo, pieceSet: PieceSet, kind: string, side: Side): string[] {
  const row = game.fights.find((fight) => fight.side === side && fight.attacker === kind);
  if (!row) return [];
  const groups = [
    { verb: "Beats", kinds: row.beats },
    { verb: "Both fall with", kinds: row.ties },
    { verb: "Falls to", kinds: row.loses_to },
  ].filter((group) => group.kinds.length > 0);
  const size = Math.max(...groups.map((group) => group.kinds.length));
  const rest = size > MAX_NAMED && groups.length > 1 ? groups.find((one) => one.kinds.length === size) : null;
  const named = groups
    .filter((group) => group !== rest)
    .map(
      (group) => `${group.verb} ${joinNames(group.kinds.map((enemy) => pieceSet.name(enemy, other(side))))}.`,
    );
  return rest ? [...named, `${rest.verb} all others.`] : named;
}

/** Whether a piece answers to what somebody wrote. */
export function matchesSearch(kind: KindInfo, side: Side, wanted: string): boolean {
  const words = wanted.trim().toLowerCase();
  if (!words) return true;
  const said = [kind[side].name, kind.label, kind.text];
  for (const power of kind.powers) said.push(power.name, power.text);
  return said.some((text) => text.toLowerCase().includes(words));
}

function joinNames(names: readonly string[]): string {
  if (names.length < 2) return names[0] ?? "";
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** How many of a kind are not captured, as far as the viewer can count. */
export function remainingOf(
  view: View | null | undefined,
  pieceSet: PieceSet,
  kind: string,
  side: Side,
): number | null {
  const gone = (view?.tray ?? []).filter((one) => one.side === side);
  if (gone.some((one) => !one.kind)) return null;
  return (pieceSet.kinds.get(kind)?.[side].count ?? 0) - gone.filter((one) => one.kind === kind).length;
}
