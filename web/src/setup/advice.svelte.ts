/** The server's answers about a setup: its code and warnings about weak spots. */
import { api, errorMessage } from "../api/http";
import type { SetupAnswer, SetupRequest, Side, Weakness } from "../api/types";
import type { Squares } from "./draft.svelte";

const DELAY_MS = 350;

export class SetupAdvice {
  /** warnings about the current draft */
  warnings = $state.raw<readonly string[]>([]);
  /** the weak spots of the current draft, the warnings among them */
  weaknesses = $state.raw<readonly Weakness[]>([]);
  /** what is typical of the current draft */
  tags = $state.raw<readonly string[]>([]);
  /** the answers are about the current draft */
  isCurrent = $state(false);
  /** why the draft has no code */
  error = $state("");
  #timer: ReturnType<typeof setTimeout> | undefined;
  #latest: { squares: Squares; code: string } | undefined;
  #request = 0;

  constructor(
    readonly game: string,
    readonly side: Side,
  ) {}

  /** Fetch a setup by style, at random or from a code; throws the server's error. */
  async load(request: Omit<SetupRequest, "side">): Promise<SetupAnswer> {
    const answer = await api.setup(this.game, { side: this.side, ...request });
    this.#store(answer.squares, answer);
    return answer;
  }

  /** Ask for warnings about a draft, if it is complete, after a short delay. */
  requestAdvice(squares: Squares, isComplete: boolean): void {
    clearTimeout(this.#timer);
    if (this.#latest?.squares === squares) return;
    this.#request += 1;
    this.warnings = [];
    this.weaknesses = [];
    this.tags = [];
    this.isCurrent = false;
    this.error = "";
    if (isComplete) this.#timer = setTimeout(() => void this.codeFor(squares), DELAY_MS);
  }

  /** Return the code of a draft, or "" if the server rejects it; then `error` says why. */
  async codeFor(squares: Squares): Promise<string> {
    if (this.#latest?.squares === squares) return this.#latest.code;
    const request = ++this.#request;
    try {
      const answer = await api.setup(this.game, { side: this.side, squares: { ...squares } });
      if (request === this.#request) this.#store(squares, answer);
      return answer.code;
    } catch (error) {
      if (request === this.#request) this.error = errorMessage(error);
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
    this.weaknesses = answer.weaknesses ?? [];
    this.tags = answer.tags ?? [];
    this.isCurrent = true;
    this.error = "";
  }
}
