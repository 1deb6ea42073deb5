/** An example of how an army stands at first, to draw the board of a box. */
import type { GameInfo, KindInfo, Side } from "../api/types";
import { kindsInArmy } from "../play/army";

/** the Flag stands in the back row, with bombs around it and the strongest in front */
const order = (kind: KindInfo): number => (kind.role === "flag" ? -2 : kind.role === "bomb" ? -1 : kind.rank);

/** The squares of each row from the middle outwards. */
function fromTheMiddle(row: readonly string[]): string[] {
  const middle = (row.length - 1) / 2;
  return row
    .map((cell, at) => ({ cell, distance: Math.abs(at - middle) }))
    .sort((one, other) => one.distance - other.distance)
    .map(({ cell }) => cell);
}

/** Square → kind for all pieces of an army, as far as they have room. */
export function sampleSetup(game: GameInfo, side: Side): Map<string, string> {
  const pieces = kindsInArmy(game, side)
    .toSorted((one, other) => order(one) - order(other))
    .flatMap((kind) => Array.from({ length: kind[side].count }, () => kind.id));
  const squares = game.board.home[side].flatMap(fromTheMiddle);
  return new Map(squares.slice(0, pieces.length).map((cell, at) => [cell, pieces[at] ?? ""]));
}
