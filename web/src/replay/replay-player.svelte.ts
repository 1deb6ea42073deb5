/**
 * A finished game, step by step, initialViewer chosen viewer.
 *
 * Steps come from the server in pages. The pages around the step that is shown are fetched ahead, and the
 * ones that have not been looked at for long are forgotten, so a long game is as smooth as a short one.
 */
import { api, ApiError } from "../api/http";
import type { Replay, ReplayStep, Viewer } from "../api/types";

export type ReplayViewer = "south" | "north" | "truth";
export type Fetch = (viewer: Viewer, first: number, count: number) => Promise<Replay>;

export const PAGE_SIZE = 50;
const MAX_PAGES = 12;
export const SPEEDS = [0.5, 1, 2, 4] as const;
const STEP_MS = 1200;

export class ReplayPlayer {
  /** the step somebody wants to see */
  turn = $state(0);
  viewer = $state<ReplayViewer>("truth");
  /** how many turns the game has; unknown before the first page */
  turns = $state(0);
  /** the step that is shown; the last one while another is on its way */
  step = $state.raw<ReplayStep | null>(null);
  isPlaying = $state(false);
  speed = $state<number>(1);
  /** why nothing can be shown */
  problem = $state.raw<ApiError | null>(null);
  readonly #fetch: Fetch;
  #pages = new Map<string, Promise<readonly ReplayStep[]>>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(match: string, fetch?: Fetch) {
    this.#fetch = fetch ?? ((viewer, first, count) => api.replay(match, viewer, first, count));
  }

  get isAtEnd(): boolean {
    return this.turn >= this.turns;
  }

  /** Show a step. */
  async showTurn(turn: number, viewer: ReplayViewer = this.viewer): Promise<void> {
    const wanted = Math.max(0, this.turns ? Math.min(turn, this.turns) : turn);
    this.turn = wanted;
    this.viewer = viewer;
    const at = Math.floor(wanted / PAGE_SIZE);
    try {
      const steps = await this.#page(viewer, at);
      if (this.viewer !== viewer || this.turn !== wanted) return;
      if (wanted > this.turns) return await this.showTurn(this.turns, viewer);
      const step = steps[wanted - at * PAGE_SIZE];
      if (step) this.step = step;
      this.problem = null;
      this.#prefetch(viewer, at);
    } catch (error) {
      if (this.viewer !== viewer || this.turn !== wanted) return;
      this.pause();
      this.problem =
        error instanceof ApiError ? error : new ApiError("broken", "Something went wrong; try again.");
    }
  }

  viewAs(viewer: ReplayViewer): Promise<void> {
    return this.showTurn(this.turn, viewer);
  }

  forward(): Promise<void> {
    return this.showTurn(this.turn + 1);
  }

  back(): Promise<void> {
    return this.showTurn(this.turn - 1);
  }

  /** Step by step from here; from the start if this is the end. */
  async play(): Promise<void> {
    if (this.isPlaying) return;
    this.isPlaying = true;
    if (this.isAtEnd) await this.showTurn(0);
    this.#scheduleNext();
  }

  pause(): void {
    this.isPlaying = false;
    clearTimeout(this.#timer);
  }

  close(): void {
    this.pause();
    this.#pages.clear();
  }

  #scheduleNext(): void {
    clearTimeout(this.#timer);
    if (!this.isPlaying) return;
    if (this.isAtEnd) return this.pause();
    this.#timer = setTimeout(
      () => void this.forward().then(() => this.#scheduleNext()),
      STEP_MS / this.speed,
    );
  }

  #prefetch(viewer: ReplayViewer, at: number): void {
    const isWithin = (page: number): boolean => page >= 0 && page * PAGE_SIZE <= this.turns;
    const isLate = this.turn - at * PAGE_SIZE > PAGE_SIZE / 2;
    for (const page of [isLate ? at - 1 : at + 1, isLate ? at + 1 : at - 1])
      if (isWithin(page)) this.#page(viewer, page).catch(() => undefined);
  }

  #page(viewer: ReplayViewer, at: number): Promise<readonly ReplayStep[]> {
    const name = `${viewer} ${at}`;
    let page = this.#pages.get(name);
    if (page) this.#pages.delete(name);
    else {
      page = this.#fetch(viewer, at * PAGE_SIZE, PAGE_SIZE).then((answer) => {
        this.turns = answer.turns;
        return answer.steps;
      });
      page.catch(() => this.#pages.delete(name));
    }
    this.#pages.set(name, page);
    const oldest = this.#pages.keys().next().value;
    if (this.#pages.size > MAX_PAGES && oldest !== undefined) this.#pages.delete(oldest);
    return page;
  }
}
