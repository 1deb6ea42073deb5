/** What the server says of a draft: its code, and what a careful friend would point out. */
import { api, ApiError } from "../api/http";
import type { SetupAnswer, SetupRequest, Side } from "../api/types";
import type { Squares } from "./draft.svelte";

const PAUSE_MS = 350;

export class Counsel {
  /** friendly remarks about the draft as it stands */
  warnings = $state.raw<readonly string[]>([]);
  /** why the server would not take it, or does not answer */
  sentence = $state("");
  #timer: ReturnType<typeof setTimeout> | undefined;
  #answered: { squares: Squares; code: string } | undefined;
  #asked = 0;

  constructor(
    readonly game: string,
    readonly side: Side,
  ) {}

  /** A setup by style, by lot or from a code; the sentence is kept if there is none. */
  async fetch(wish: Omit<SetupRequest, "side">): Promise<SetupAnswer> {
    const answer = await api.setup(this.game, { side: this.side, ...wish });
    this.#take(answer.squares, answer);
    return answer;
  }

  /** Ask about a complete draft after a short pause; nothing is said of one that is not complete. */
  consider(squares: Squares, isComplete: boolean): void {
    clearTimeout(this.#timer);
    if (this.#answered?.squares === squares) return;
    this.#asked += 1;
    this.warnings = [];
    this.sentence = "";
    if (isComplete) this.#timer = setTimeout(() => void this.codeOf(squares), PAUSE_MS);
  }

  /** The code of a draft; empty if the server does not take it, and then the sentence says why. */
  async codeOf(squares: Squares): Promise<string> {
    if (this.#answered?.squares === squares) return this.#answered.code;
    const asked = ++this.#asked;
    try {
      const answer = await api.setup(this.game, { side: this.side, squares: { ...squares } });
      if (asked === this.#asked) this.#take(squares, answer);
      return answer.code;
    } catch (error) {
      if (asked === this.#asked) this.sentence = sentenceOf(error);
      return "";
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#asked += 1;
  }

  #take(squares: Squares, answer: SetupAnswer): void {
    this.#answered = { squares, code: answer.code };
    this.warnings = answer.warnings;
    this.sentence = "";
  }
}

export const sentenceOf = (error: unknown): string =>
  error instanceof ApiError ? error.message : "Something went wrong; try again.";
