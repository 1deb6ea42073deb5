/**
 * A finished game, step by step, through chosen eyes.
 *
 * Steps come from the server in pages. The pages around the step that is shown are fetched ahead, and the
 * ones that have not been looked at for long are forgotten, so a long game is as smooth as a short one.
 */
import { api, ApiError } from "../api/http";
import type { Replay, ReplayStep, Viewer } from "../api/types";

export type Eyes = "south" | "north" | "truth";
export type Fetch = (eyes: Viewer, first: number, count: number) => Promise<Replay>;

export const PAGE = 50;
const KEPT_PAGES = 12;
export const SPEEDS = [0.5, 1, 2, 4] as const;
const STEP_MS = 1200;

export class Reel {
  /** the step somebody wants to see */
  turn = $state(0);
  eyes = $state<Eyes>("truth");
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
    this.#fetch = fetch ?? ((eyes, first, count) => api.replay(match, eyes, first, count));
  }

  get isAtEnd(): boolean {
    return this.turn >= this.turns;
  }

  /** Show a step. */
  async go(turn: number, eyes: Eyes = this.eyes): Promise<void> {
    const wanted = Math.max(0, this.turns ? Math.min(turn, this.turns) : turn);
    this.turn = wanted;
    this.eyes = eyes;
    const at = Math.floor(wanted / PAGE);
    try {
      const steps = await this.#page(eyes, at);
      if (this.eyes !== eyes || this.turn !== wanted) return;
      if (wanted > this.turns) return await this.go(this.turns, eyes);
      const step = steps[wanted - at * PAGE];
      if (step) this.step = step;
      this.problem = null;
      this.#ahead(eyes, at);
    } catch (error) {
      if (this.eyes !== eyes || this.turn !== wanted) return;
      this.pause();
      this.problem =
        error instanceof ApiError ? error : new ApiError("broken", "Something went wrong; try again.");
    }
  }

  look(eyes: Eyes): Promise<void> {
    return this.go(this.turn, eyes);
  }

  forward(): Promise<void> {
    return this.go(this.turn + 1);
  }

  back(): Promise<void> {
    return this.go(this.turn - 1);
  }

  /** Step by step from here; from the start if this is the end. */
  async play(): Promise<void> {
    if (this.isPlaying) return;
    this.isPlaying = true;
    if (this.isAtEnd) await this.go(0);
    this.#next();
  }

  pause(): void {
    this.isPlaying = false;
    clearTimeout(this.#timer);
  }

  close(): void {
    this.pause();
    this.#pages.clear();
  }

  #next(): void {
    clearTimeout(this.#timer);
    if (!this.isPlaying) return;
    if (this.isAtEnd) return this.pause();
    this.#timer = setTimeout(() => void this.forward().then(() => this.#next()), STEP_MS / this.speed);
  }

  #ahead(eyes: Eyes, at: number): void {
    const isWithin = (page: number): boolean => page >= 0 && page * PAGE <= this.turns;
    const isLate = this.turn - at * PAGE > PAGE / 2;
    for (const page of [isLate ? at - 1 : at + 1, isLate ? at + 1 : at - 1])
      if (isWithin(page)) this.#page(eyes, page).catch(() => undefined);
  }

  #page(eyes: Eyes, at: number): Promise<readonly ReplayStep[]> {
    const name = `${eyes} ${at}`;
    let page = this.#pages.get(name);
    if (page) this.#pages.delete(name);
    else {
      page = this.#fetch(eyes, at * PAGE, PAGE).then((answer) => {
        this.turns = answer.turns;
        return answer.steps;
      });
      page.catch(() => this.#pages.delete(name));
    }
    this.#pages.set(name, page);
    const oldest = this.#pages.keys().next().value;
    if (this.#pages.size > KEPT_PAGES && oldest !== undefined) this.#pages.delete(oldest);
    return page;
  }
}
