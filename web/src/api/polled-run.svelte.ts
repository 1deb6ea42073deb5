/**
 * A run of games on the server that belongs to this guest; it is asked for once a second while it goes on.
 *
 * After a restart of the server a run goes on where it was. This browser remembers that one was going on, so that
 * the page can say that the server has lost it, which it should not.
 */
import { api, errorMessage } from "./http";

const POLL_MS = 1000;

interface Answer<Run> {
  run: Run | null;
}

const PREFIX = "flagfall.run.";

function isRemembered(key: string): boolean {
  try {
    return localStorage.getItem(PREFIX + key) !== null;
  } catch {
    return false;
  }
}

function remember(key: string, isRunning: boolean): void {
  try {
    if (isRunning) localStorage.setItem(PREFIX + key, "1");
    else localStorage.removeItem(PREFIX + key);
  } catch {
    // private windows may have no storage; only a page that stays open can tell then
  }
}

export abstract class PolledRun<Run extends { state: string }> {
  run = $state.raw<Run | null>(null);
  error = $state("");
  isBusy = $state(false);
  /** The server does not know the run any more that was going on; what it had shown stays. */
  isInterrupted = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  /** names the run among those of this browser */
  protected abstract readonly key: string;
  protected abstract ask(): Promise<Answer<Run>>;

  get isRunning(): boolean {
    return this.run?.state === "running";
  }

  /** Show a run from before a reload, if this visitor is a guest. */
  async load(): Promise<void> {
    try {
      if ((await api.visitor()).guest) this.#show((await this.ask()).run);
    } catch {
      // there is nothing to show yet; starting a run says what is wrong
    }
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  protected async attempt(action: () => Promise<Answer<Run>>): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    this.error = "";
    clearTimeout(this.#timer);
    try {
      this.#show((await action()).run);
    } catch (error) {
      this.error = errorMessage(error);
      await this.load();
    } finally {
      this.isBusy = false;
    }
  }

  #show(found: Run | null): void {
    const wasRunning = this.isRunning || isRemembered(this.key);
    this.isInterrupted = !found && (wasRunning || this.isInterrupted);
    const run = found ?? (this.run && { ...this.run, state: "stopped" });
    this.run = run;
    remember(this.key, run?.state === "running");
    clearTimeout(this.#timer);
    if (run?.state === "running" && !this.#isClosed)
      this.#timer = setTimeout(() => void this.#poll(), POLL_MS);
  }

  async #poll(): Promise<void> {
    try {
      this.#show((await this.ask()).run);
      this.error = "";
    } catch (error) {
      this.error = errorMessage(error);
      this.#show(this.run);
    }
  }
}
