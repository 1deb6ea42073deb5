/** Find saved setups by their names and tags. */
import type { SavedSetup } from "../api/types";

/** The tags in a line that separates them by commas. */
export const readTags = (line: string): string[] =>
  line
    .split(",")
    .map((tag) => tag.trim())
    .filter(Boolean);

/** A text without case and accents. */
const plain = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** Every own tag of these setups once, in alphabetical order. */
export function ownTags(setups: readonly SavedSetup[]): string[] {
  const found = new Map<string, string>();
  for (const tag of setups.flatMap((setup) => setup.own_tags ?? [])) {
    if (!found.has(plain(tag))) found.set(plain(tag), tag);
  }
  return [...found.values()].sort((one, other) => one.localeCompare(other));
}

/** The setups with all words of the search in their names or tags, and with the chosen tag if there is one. */
export function findSetups(setups: readonly SavedSetup[], search: string, tag: string): SavedSetup[] {
  const words = plain(search).split(/\s+/).filter(Boolean);
  return setups.filter((setup) => {
    const own = (setup.own_tags ?? []).map(plain);
    const text = [plain(setup.name), ...own, ...(setup.tags ?? []).map(plain)].join("\n");
    return words.every((word) => text.includes(word)) && (!tag || own.includes(plain(tag)));
  });
}
