/** The review of one finished match: started by one click, polled while it is worked out, then shown. */
import { api, errorMessage } from "../api/http";
import type { Beliefs, Findings, Review } from "../api/types";
import type { ReplayViewer } from "../replay/replay-player.svelte";

export const POLL_MS = 1000;

export interface ReviewApi {
  review: (viewer: ReplayViewer) => Promise<Review>;
  start: () => Promise<Review>;
  stop: () => Promise<Review>;
  beliefs: (viewer: ReplayViewer, turn: number) => Promise<Beliefs>;
}

const remote = (match: string): ReviewApi => ({
  review: (viewer) => api.review(match, viewer),
  start: () => api.startReview(match),
  stop: () => api.stopReview(match),
  beliefs: (viewer, turn) => api.beliefs(match, viewer, turn),
});

export class ReviewStore {
  /** whether the review is on the screen */
  isOpen = $state(false);
  progress = $state.raw<Review | null>(null);
  error = $state("");
  /** what was found, for the viewer that is shown; null until the review is done */
  findings = $state.raw<Findings | null>(null);
  beliefs = $state.raw<Beliefs | null>(null);
  readonly #api: ReviewApi;
  #viewer: ReplayViewer = "truth";
  #found = new Map<ReplayViewer, Findings>();
  #beliefs = new Map<string, Beliefs>();
  /** viewer and turn of the beliefs that were asked for last */
  #wanted = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** changes when an answer that is still on its way is no longer wanted */
  #round = 0;

  constructor(match: string, source?: ReviewApi) {
    this.#api = source ?? remote(match);
  }

  get isRunning(): boolean {
    return this.progress?.status === "running" || this.progress?.status === "waiting";
  }

  /** Show the review, and have it worked out if that has not been done. */
  async open(viewer: ReplayViewer): Promise<void> {
    this.isOpen = true;
    this.#viewer = viewer;
    await this.#ask(async () => {
      const found = await this.#api.review(viewer);
      return found.status === "done" || found.status === "running" || found.status === "waiting"
        ? found
        : this.#api.start();
    });
  }

  /** Show what another viewer knew. */
  async viewAs(viewer: ReplayViewer): Promise<void> {
    if (viewer === this.#viewer) return;
    this.#viewer = viewer;
    this.findings = this.#found.get(viewer) ?? null;
    this.beliefs = null;
    this.#wanted = "";
    if (this.isOpen && !this.findings && this.progress?.status === "done")
      await this.#ask(() => this.#api.review(viewer));
  }

  /** Stop the work; what is done is kept. */
  stop(): Promise<void> {
    return this.#ask(() => this.#api.stop(), "stopped");
  }

  /** Hide the review. Work that is under way ends by itself when nobody asks for it. */
  close(): void {
    this.isOpen = false;
    this.#round++;
    clearTimeout(this.#timer);
  }

  /** Fetch what the sides believed after some number of turns. */
  async loadBeliefs(turn: number): Promise<void> {
    if (!this.findings) return;
    const name = `${this.#viewer} ${turn}`;
    this.#wanted = name;
    try {
      const found = this.#beliefs.get(name) ?? (await this.#api.beliefs(this.#viewer, turn));
      this.#beliefs.set(name, found);
      if (name === this.#wanted) this.beliefs = found;
    } catch (error) {
      this.error = errorMessage(error);
    }
  }

  async #ask(question: () => Promise<Review>, status?: Review["status"]): Promise<void> {
    const round = ++this.#round;
    clearTimeout(this.#timer);
    try {
      let answer = await question();
      if (answer.status === "done" && !answer.findings) answer = await this.#api.review(this.#viewer);
      if (round !== this.#round) return;
      this.error = "";
      this.progress = status && answer.status !== "done" ? { ...answer, status } : answer;
      if (answer.findings) {
        this.#found.set(answer.viewer, answer.findings);
        this.findings = this.#found.get(this.#viewer) ?? null;
      }
    } catch (error) {
      if (round !== this.#round) return;
      this.error = errorMessage(error);
      return;
    }
    if (this.isOpen && this.isRunning)
      this.#timer = setTimeout(() => void this.#ask(() => this.#api.review(this.#viewer)), POLL_MS);
  }
}
