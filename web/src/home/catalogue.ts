/** The list of boxes and games, fetched once, and texts about games. */
import { api } from "../api/http";
import type { BoxInfo, Catalogue, GameSummary } from "../api/types";

let fetched: Promise<Catalogue> | undefined;

export function catalogue(): Promise<Catalogue> {
  fetched ??= api.catalogue().catch((error: unknown) => {
    fetched = undefined;
    throw error;
  });
  return fetched;
}

export const boxOf = (game: string): string => game.split("/")[0] ?? "";

interface FoundGame {
  box: BoxInfo;
  line: GameSummary;
}

function findGame(all: Catalogue, game: string): FoundGame | null {
  for (const box of all.boxes) {
    const line = box.games.find(({ id }) => id === game);
    if (line) return { box, line };
  }
  return null;
}

/** “Onyx: Classic”; the id of a game that is not in the list. */
export function fullName(all: Catalogue | null, game: string): string {
  const place = all && findGame(all, game);
  return place ? `${place.box.name}: ${place.line.name}` : game;
}

/** “40 pieces, board 10×10, powers”. */
export function sizeLabel(line: GameSummary): string {
  const parts = [`${line.pieces} pieces`, `board ${line.columns}×${line.rows}`];
  if (line.has_powers) parts.push("powers");
  return parts.join(", ");
}
