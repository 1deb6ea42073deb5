/** What the server says of a draft: its code, and what a careful friend would point out. */
import { api, ApiError } from "../api/http";
import type { SetupAnswer, SetupRequest, Side } from "../api/types";
import type { Squares } from "./draft.svelte";

const DELAY_MS = 350;

export class SetupAdvice {
  /** friendly remarks about the draft as it stands */
  warnings = $state.raw<readonly string[]>([]);
  /** why the server would not take it, or does not answer */
  error = $state("");
  #timer: ReturnType<typeof setTimeout> | undefined;
  #latest: { squares: Squares; code: string } | undefined;
  #request = 0;

  constructor(
    readonly game: string,
    readonly side: Side,
  ) {}

  /** A setup by style, by lot or from a code; the sentence is kept if there is none. */
  async load(request: Omit<SetupRequest, "side">): Promise<SetupAnswer> {
    const answer = await api.setup(this.game, { side: this.side, ...request });
    this.#store(answer.squares, answer);
    return answer;
  }

  /** Ask about a complete draft after a short pause; nothing is said of one that is not complete. */
  requestAdvice(squares: Squares, isComplete: boolean): void {
    clearTimeout(this.#timer);
    if (this.#latest?.squares === squares) return;
    this.#request += 1;
    this.warnings = [];
    this.error = "";
    if (isComplete) this.#timer = setTimeout(() => void this.codeFor(squares), DELAY_MS);
  }

  /** The code of a draft; empty if the server does not take it, and then the sentence says why. */
  async codeFor(squares: Squares): Promise<string> {
    if (this.#latest?.squares === squares) return this.#latest.code;
    const request = ++this.#request;
    try {
      const answer = await api.setup(this.game, { side: this.side, squares: { ...squares } });
      if (request === this.#request) this.#store(squares, answer);
      return answer.code;
    } catch (error) {
      if (request === this.#request) this.error = sentenceOf(error);
      return "";
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#request += 1;
  }

  #store(squares: Squares, answer: SetupAnswer): void {
    this.#latest = { squares, code: answer.code };
    this.warnings = answer.warnings;
    this.error = "";
  }
}

export const sentenceOf = (error: unknown): string =>
  error instanceof ApiError ? error.message : "Something went wrong; try again.";
