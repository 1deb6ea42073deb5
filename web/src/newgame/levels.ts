/** Computer players to choose from. The server names them, or tells more about each. */
import { capital, spoken } from "./options";

export interface Level {
  id: string;
  name: string;
  /** one line about its character; may be empty */
  text: string;
}

const field = (from: object, ...names: string[]): string => {
  for (const name of names) {
    const value: unknown = (from as Record<string, unknown>)[name];
    if (typeof value === "string" && value) return value;
  }
  return "";
};

export function levelsOf(told: readonly unknown[]): Level[] {
  return told.flatMap((one) => {
    if (typeof one === "string") return [{ id: one, name: capital(spoken(one)), text: "" }];
    if (typeof one !== "object" || !one) return [];
    const id = field(one, "id", "level", "name");
    const name = field(one, "title", "name", "id");
    return id ? [{ id, name: capital(spoken(name)), text: field(one, "character", "text", "tagline") }] : [];
  });
}

/** The level the server takes when nobody names one. */
const SERVERS_OWN = "greedy";

/** Who is met first: whom the server would take, or somebody in the middle. */
export const usual = (levels: Level[]): string =>
  (levels.find((level) => level.id === SERVERS_OWN) ?? levels[Math.floor(levels.length / 2)])?.id ?? "";
