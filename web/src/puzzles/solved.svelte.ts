/** Which puzzles this browser has solved, with the first attempt or a later one. */
import { StoredSet } from "../ui/stored-set.svelte";

export const solvedPuzzles = new StoredSet("flagfall.puzzles");

export function markSolved(puzzle: string): void {
  solvedPuzzles.keep(puzzle);
}
