/** A set of ids that this browser keeps. */
import { SvelteSet } from "svelte/reactivity";

function read(key: string): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(stored) ? stored.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}

export class StoredSet extends SvelteSet<string> {
  readonly #key: string;

  constructor(key: string) {
    super(read(key));
    this.#key = key;
  }

  /** Add an id and store the whole set. */
  keep(id: string): void {
    this.add(id);
    try {
      localStorage.setItem(this.#key, JSON.stringify([...this]));
    } catch {
      // private windows may have no storage; the ids then last until the page is closed
    }
  }
}
