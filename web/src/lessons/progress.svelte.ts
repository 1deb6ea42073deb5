/** Which lessons this browser has done. */
import { SvelteSet } from "svelte/reactivity";

const KEY = "flagfall.lessons";

function read(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}

export const doneLessons = new SvelteSet<string>(read());

export function markDone(lesson: string): void {
  doneLessons.add(lesson);
  try {
    localStorage.setItem(KEY, JSON.stringify([...doneLessons]));
  } catch {
    // private windows may have no storage; the ticks then last until the page is closed
  }
}
