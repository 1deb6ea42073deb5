/**
 * Plays a finished match step by step, as seen by one viewer.
 *
 * Steps come from the server in pages. The next pages are prefetched and those not used for longest are
 * dropped, so that a long match is as smooth as a short one.
 */
import { api, ApiError, errorMessage } from "../api/http";
import type { Replay, ReplayStep, Viewer } from "../api/types";

export type ReplayViewer = "south" | "north" | "truth";
export type Fetch = (viewer: Viewer, first: number, count: number) => Promise<Replay>;

export const PAGE_SIZE = 50;
const MAX_PAGES = 12;
export const SPEEDS = [0.5, 1, 2, 4] as const;
const STEP_MS = 1200;
const MOTION_SHARE = 0.75;

export class ReplayPlayer {
  /** the turn to show */
  turn = $state(0);
  viewer = $state<ReplayViewer>("truth");
  /** the number of turns of the match; 0 before the first page */
  turns = $state(0);
  /** the step on the screen; the last one while another is being fetched */
  step = $state.raw<ReplayStep | null>(null);
  isPlaying = $state(false);
  speed = $state<number>(1);
  /** why the step cannot be shown */
  error = $state.raw<ApiError | null>(null);
  readonly #fetch: Fetch;
  #pages = new Map<string, Promise<readonly ReplayStep[]>>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(match: string, fetch?: Fetch) {
    this.#fetch = fetch ?? ((viewer, first, count) => api.replay(match, viewer, first, count));
  }

  get isAtEnd(): boolean {
    return this.turn >= this.turns;
  }

  /** How long the motion of one turn may last. */
  get maxMotionMs(): number {
    return this.isPlaying ? (STEP_MS / this.speed) * MOTION_SHARE : STEP_MS;
  }

  /** Show the match after some number of turns. */
  async showTurn(turn: number, viewer: ReplayViewer = this.viewer): Promise<void> {
    const target = Math.max(0, this.turns ? Math.min(turn, this.turns) : turn);
    this.turn = target;
    this.viewer = viewer;
    const index = Math.floor(target / PAGE_SIZE);
    try {
      const steps = await this.#fetchPage(viewer, index);
      if (this.viewer !== viewer || this.turn !== target) return;
      if (target > this.turns) return await this.showTurn(this.turns, viewer);
      const step = steps[target - index * PAGE_SIZE];
      if (step) this.step = step;
      this.error = null;
      this.#prefetch(viewer, index);
    } catch (error) {
      if (this.viewer !== viewer || this.turn !== target) return;
      this.pause();
      this.error = error instanceof ApiError ? error : new ApiError("broken", errorMessage(error));
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

  /** Play from here, or from the start if this is the end. */
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

  #prefetch(viewer: ReplayViewer, index: number): void {
    const isWithin = (page: number): boolean => page >= 0 && page * PAGE_SIZE <= this.turns;
    const isLate = this.turn - index * PAGE_SIZE > PAGE_SIZE / 2;
    for (const page of [isLate ? index - 1 : index + 1, isLate ? index + 1 : index - 1])
      if (isWithin(page)) this.#fetchPage(viewer, page).catch(() => undefined);
  }

  #fetchPage(viewer: ReplayViewer, index: number): Promise<readonly ReplayStep[]> {
    const name = `${viewer} ${index}`;
    let page = this.#pages.get(name);
    if (page) this.#pages.delete(name);
    else {
      page = this.#fetch(viewer, index * PAGE_SIZE, PAGE_SIZE).then((replay) => {
        this.turns = replay.turns;
        return replay.steps;
      });
      page.catch(() => this.#pages.delete(name));
    }
    this.#pages.set(name, page);
    const oldest = this.#pages.keys().next().value;
    if (this.#pages.size > MAX_PAGES && oldest !== undefined) this.#pages.delete(oldest);
    return page;
  }
}
