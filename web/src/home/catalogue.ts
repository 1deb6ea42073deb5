/** The list of boxes and games, fetched once, and texts about games. */
import { api } from "../api/http";
import type { BoxInfo, Catalogue, GameSummary } from "../api/types";
import { t } from "../languages";

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
  return place ? t("common.game", { box: place.box.name, game: place.line.name }) : game;
}

/** “40 pieces, board 10×10, powers”. */
export function sizeLabel({ pieces, columns, rows, has_powers }: GameSummary): string {
  const size = { pieces, columns, rows };
  return has_powers ? t("home.box.size-powers", size) : t("home.box.size", size);
}
