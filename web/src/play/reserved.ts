/** The square with a drawing of its own, if this box has one. */
import type { GameInfo } from "../api/types";
import { isSquare } from "../board/geometry";

export function reservedSquare(game: GameInfo, options: Readonly<Record<string, string>>): string {
  const named = Object.values(options).find((value) => isSquare(value));
  return game.words["reserved"] && named ? named : "";
}
