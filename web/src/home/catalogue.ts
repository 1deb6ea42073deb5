/** What there is to play, asked for once, and names for the ids of games. */
import { api } from "../api/http";
import type { BoxInfo, Catalogue, GameSummary } from "../api/types";

let known: Promise<Catalogue> | undefined;

export function catalogue(): Promise<Catalogue> {
  known ??= api.catalogue().catch((error: unknown) => {
    known = undefined;
    throw error;
  });
  return known;
}

export const boxOf = (game: string): string => game.split("/")[0] ?? "";

interface FoundGame {
  box: BoxInfo;
  line: GameSummary;
}

function findGame(all: Catalogue, game: string): FoundGame | null {
  for (const box of all.boxes) {
    const line = box.games.find((one) => one.id === game);
    if (line) return { box, line };
  }
  return null;
}

/** “Onyx: Classic”; the bare id for a game that is not in the list. */
export function fullName(all: Catalogue | null, game: string): string {
  const place = all && findGame(all, game);
  return place ? `${place.box.name}: ${place.line.name}` : game;
}

/** “40 pieces each, board 10×10, powers”. */
export function sizeLabel(line: GameSummary): string {
  const parts = [`${line.pieces} pieces`, `board ${line.columns}×${line.rows}`];
  if (line.has_powers) parts.push("powers");
  return parts.join(", ");
}
