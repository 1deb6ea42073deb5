/**
 * The setup being edited, so that it survives a reload: of a match in this tab until the game begins, of the
 * setup lab in this browser.
 */
import type { Side } from "../api/types";
import type { Squares } from "./draft.svelte";

export interface StoredDraft {
  squares: Squares;
  /** the style on the board, if it is unchanged */
  style: string;
}

const LAB = "lab:";
/** What a draft of the setup lab is stored under, in place of a match. */
export const labDraft = (game: string): string => `${LAB}${game}`;
const storageFor = (match: string): Storage => (match.startsWith(LAB) ? localStorage : sessionStorage);
const keyFor = (match: string, side: Side): string => `flagfall.setup.${match}.${side}`;

export function storeDraft(match: string, side: Side, draft: StoredDraft): void {
  try {
    storageFor(match).setItem(keyFor(match, side), JSON.stringify(draft));
  } catch {
    // private windows may have no storage
  }
}

export function storedDraft(match: string, side: Side): StoredDraft | null {
  try {
    const stored = JSON.parse(storageFor(match).getItem(keyFor(match, side)) ?? "null") as StoredDraft | null;
    return stored && typeof stored.squares === "object" && stored.squares
      ? { squares: stored.squares, style: typeof stored.style === "string" ? stored.style : "" }
      : null;
  } catch {
    return null;
  }
}

/** Remove what is stored for a match, of either side. */
export function forgetDrafts(match: string): void {
  try {
    for (const side of ["south", "north"] as const) sessionStorage.removeItem(keyFor(match, side));
  } catch {
    // nothing was stored
  }
}
