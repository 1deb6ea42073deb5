/** A box being written: its text, what is wrong with it, and whether it is saved. */
import { api, ApiError, errorMessage } from "../api/http";
import type { BoxCheck, BoxProblem, GameInfo, OpenedBox } from "../api/types";
import { forgetBox, storeBox, storedBox } from "./stored-box";

const CHECK_MS = 500;
const RETRY_MS = 5000;
/** the server's code for a text that was saved elsewhere meanwhile */
const STALE = "stale-box";

/** The name of a game inside its box: `box-x/classic` → `classic`. */
export const gameName = (id: string): string => id.slice(id.indexOf("/") + 1);

export class BoxDraft {
  text = $state("");
  saved = $state.raw<OpenedBox | null>(null);
  /** what the server said about the newest text that it has seen */
  check = $state.raw<BoxCheck | null>(null);
  /** the last game that could be drawn; it stays while a text has problems */
  shown = $state.raw<GameInfo | null>(null);
  /** the game to draw; empty for the first */
  game = $state("");
  isChecking = $state(false);
  isSaving = $state(false);
  /** the box as it was saved elsewhere, if it is not what this text was made from */
  other = $state.raw<OpenedBox | null>(null);
  isRestored = $state(false);
  isKept = $state(true);
  error = $state("");
  checkError = $state("");
  #base = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;
  #isClosed = false;

  constructor(readonly id: string) {}

  get isChanged(): boolean {
    return this.saved !== null && this.text !== this.saved.text;
  }

  get problems(): readonly BoxProblem[] {
    return this.check?.problems ?? [];
  }

  /** Whether the text on the screen is checked and can be played. */
  get isValid(): boolean {
    return !this.isChecking && !this.checkError && !!this.check?.game;
  }

  /** Load the box; an unsaved text of this browser comes first. */
  async open(): Promise<void> {
    this.error = "";
    try {
      const opened = await api.openBox(this.id);
      const kept = storedBox(this.id);
      this.saved = opened;
      this.#base = opened.box.revision;
      this.text = opened.text;
      if (kept && kept.text !== opened.text) {
        this.text = kept.text;
        this.isRestored = true;
        if (kept.base !== opened.box.revision) this.other = opened;
        this.#base = kept.base;
      } else forgetBox(this.id);
      await this.#check();
    } catch (error) {
      this.error = errorMessage(error);
    }
  }

  edit(text: string): void {
    if (text === this.text) return;
    this.text = text;
    if (this.isChanged) this.isKept = storeBox(this.id, { text, base: this.#base });
    else forgetBox(this.id);
    this.#checkLater(CHECK_MS);
  }

  choose(game: string): void {
    this.game = game;
    this.#checkLater(0);
  }

  /** Save the text; return whether the server has it now. */
  async save(): Promise<boolean> {
    if (this.isSaving) return false;
    if (this.other) return false;
    this.isSaving = true;
    this.error = "";
    const { text } = this;
    try {
      this.#wasSaved(await api.saveBox(this.id, text, this.#base), text);
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.code === STALE) await this.#findOther();
      else this.error = errorMessage(error);
      return false;
    } finally {
      this.isSaving = false;
    }
  }

  /** Save this text over the one that was saved elsewhere. */
  async keepMine(): Promise<boolean> {
    if (!this.other) return false;
    this.#base = this.other.box.revision;
    this.other = null;
    return this.save();
  }

  /** Take the text that was saved elsewhere. */
  takeOther(): void {
    if (!this.other) return;
    const { other } = this;
    this.other = null;
    this.saved = other;
    this.#base = other.box.revision;
    this.isRestored = false;
    this.edit(other.text);
  }

  /** Take what another tab or browser has saved since; its games are those that can be played. */
  async refresh(): Promise<void> {
    const revision = this.#base;
    await this.#findOther();
    if (this.other?.box.revision === revision) this.other = null;
    else if (!this.isChanged) this.takeOther();
  }

  /** Go back to what is saved. */
  revert(): void {
    if (!this.saved) return;
    this.isRestored = false;
    this.edit(this.saved.text);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #wasSaved(opened: OpenedBox, text: string): void {
    this.saved = opened;
    this.#base = opened.box.revision;
    this.isRestored = false;
    // the author may have gone on writing meanwhile
    if (this.text === text) forgetBox(this.id);
    else this.isKept = storeBox(this.id, { text: this.text, base: this.#base });
  }

  async #findOther(): Promise<void> {
    try {
      this.other = await api.openBox(this.id);
    } catch (error) {
      this.error = errorMessage(error);
    }
  }

  #checkLater(delay: number): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.isChecking = true;
    this.#timer = setTimeout(() => void this.#check(), delay);
  }

  async #check(): Promise<void> {
    const asked = ++this.#asked;
    this.isChecking = true;
    try {
      const check = await api.checkBox(this.text, this.game);
      if (asked !== this.#asked || this.#isClosed) return;
      this.check = check;
      this.checkError = "";
      if (check.game) {
        this.shown = check.game;
        this.game = gameName(check.game.id);
      }
      this.isChecking = false;
    } catch (error) {
      if (asked !== this.#asked || this.#isClosed) return;
      this.checkError = errorMessage(error);
      this.#checkLater(RETRY_MS);
    }
  }
}
