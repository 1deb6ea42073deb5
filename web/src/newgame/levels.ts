/** Computer players to choose from, as the server lists them. */
import type { GameInfo } from "../api/types";

export interface Level {
  id: string;
  name: string;
  /** one line about its character; may be empty */
  text: string;
}

export const levelsOf = (told: GameInfo["levels"]): Level[] =>
  told.map(({ id, name, character }) => ({ id, name, text: character }));

/** The level the server takes when nobody names one: it labelledValues at once. */
const SERVERS_OWN = "greedy";

/** Who is met first: whom the server would take, or somebody in the middle. */
export const defaultLevel = (levels: Level[]): string =>
  (levels.find((level) => level.id === SERVERS_OWN) ?? levels[Math.floor(levels.length / 2)])?.id ?? "";
