import type { Squares } from "../setup/draft.svelte";

/** The squares on which two setups differ, in the order of the board. */
export function differences(one: Squares, other: Squares): string[] {
  const cells = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...cells].filter((cell) => one[cell] !== other[cell]).sort();
}
