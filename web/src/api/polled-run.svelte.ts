/** A run of games on the server that belongs to this guest; it is asked for once a second while it goes on. */
import { api, errorMessage } from "./http";

const POLL_MS = 1000;

interface Answer<Run> {
  run: Run | null;
}

export abstract class PolledRun<Run extends { state: string }> {
  run = $state.raw<Run | null>(null);
  error = $state("");
  isBusy = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

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

  #show(run: Run | null): void {
    this.run = run;
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
