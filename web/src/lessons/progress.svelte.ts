/** Which lessons this browser has done. */
import { StoredSet } from "../ui/stored-set.svelte";

export const doneLessons = new StoredSet("flagfall.lessons");

export function markDone(lesson: string): void {
  doneLessons.keep(lesson);
}
