import type { Side } from "../api/types";

/** The address of the setup lab for one side of a game. */
export const labPath = (game: string, side: Side): string =>
  `/lab/${game}${side === "north" ? "/north" : ""}`;
