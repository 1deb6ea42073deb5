import type { Side } from "../api/types";

/** The address of the setup lab for one side of a game. */
export const labPath = (game: string, side: Side): string =>
  `/lab/${game}${side === "north" ? "/north" : ""}`;

/** The address that opens the lab with a setup on its board. */
export const setupPath = (game: string, side: Side, code: string): string =>
  `${labPath(game, side)}?setup=${encodeURIComponent(code).replaceAll("%2F", "/")}`;

/** The code of a setup in the query string of the lab; null if there is none. */
export const codeInLink = (search: string): string | null => new URLSearchParams(search).get("setup");
