/** The text of a box that is not saved on the server yet; this browser keeps it through a reload. */

export interface StoredBox {
  text: string;
  /** the revision of the server's text that it was made from */
  base: number;
}

const keyFor = (id: string): string => `flagfall.box.${id}`;

/** Store an unsaved text; return whether the browser could. */
export function storeBox(id: string, box: StoredBox): boolean {
  try {
    localStorage.setItem(keyFor(id), JSON.stringify(box));
    return true;
  } catch {
    return false; // private windows may have no storage, and it may be full
  }
}

export function storedBox(id: string): StoredBox | null {
  try {
    const stored = JSON.parse(localStorage.getItem(keyFor(id)) ?? "null") as Partial<StoredBox> | null;
    return typeof stored?.text === "string" && typeof stored.base === "number"
      ? { text: stored.text, base: stored.base }
      : null;
  } catch {
    return null;
  }
}

export function forgetBox(id: string): void {
  try {
    localStorage.removeItem(keyFor(id));
  } catch {
    // nothing was stored
  }
}
