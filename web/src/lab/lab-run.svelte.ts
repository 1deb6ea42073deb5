/** The guest's run of quick games in the setup lab; it is asked for once a second while it goes on. */
import { api, errorMessage } from "../api/http";
import type { LabRequest, LabRun } from "../api/types";

const POLL_MS = 1000;

export class LabRunStore {
  run = $state.raw<LabRun | null>(null);
  error = $state("");
  isBusy = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  get isRunning(): boolean {
    return this.run?.state === "running";
  }

  get played(): number {
    return this.run?.points.length ?? 0;
  }

  /** Show a run from before a reload, if this visitor is a guest. */
  async load(): Promise<void> {
    try {
      if ((await api.visitor()).guest) this.#show((await api.labRun()).run);
    } catch {
      // there is nothing to show yet; starting a run says what is wrong
    }
  }

  start(request: LabRequest): Promise<void> {
    return this.#attempt(() => api.startLabRun(request));
  }

  cancel(): Promise<void> {
    return this.#attempt(() => api.cancelLabRun());
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #attempt(action: () => Promise<{ run: LabRun | null }>): Promise<void> {
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

  #show(run: LabRun | null): void {
    this.run = run;
    clearTimeout(this.#timer);
    if (run?.state === "running" && !this.#isClosed)
      this.#timer = setTimeout(() => void this.#poll(), POLL_MS);
  }

  async #poll(): Promise<void> {
    try {
      this.#show((await api.labRun()).run);
      this.error = "";
    } catch (error) {
      this.error = errorMessage(error);
      this.#show(this.run);
    }
  }
}
