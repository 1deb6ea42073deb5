/** Questions to the coach of a training game, and its last answer. An answer lasts until the position changes. */
import { api, errorMessage } from "../api/http";
import type { Advice, MatchSnapshot, PieceChances } from "../api/types";
import type { Arrow, Mark } from "../board/marks";
import { isSquare } from "../board/geometry";
import { t } from "../languages";
import type { MatchStore } from "../play/match-store.svelte";

export class Coach {
  isThinking = $state(false);
  error = $state("");
  #advice = $state.raw<Advice | null>(null);
  #chances = $state.raw<PieceChances | null>(null);

  constructor(private readonly match: Pick<MatchStore, "id" | "snapshot" | "send" | "can">) {}

  readonly advice = $derived.by(() => this.#current(this.#advice));
  readonly chances = $derived.by(() => this.#current(this.#chances));
  /** What the coach says, in one text. */
  readonly words = $derived.by(() => {
    if (this.error) return this.error;
    if (this.advice) return `${this.advice.choice.words} ${this.advice.reason}`;
    return this.chances ? describeChances(this.chances) : "";
  });
  readonly marks = $derived.by((): Record<string, Mark> => {
    const squares = [this.advice?.choice.origin, this.advice?.choice.target, this.chances?.square];
    return Object.fromEntries(
      squares.filter((square) => square && isSquare(square)).map((square) => [square, { hint: true }]),
    );
  });
  readonly arrows = $derived.by((): Arrow[] => {
    const { origin = "", target = "" } = this.advice?.choice ?? {};
    return isSquare(origin) && isSquare(target) && origin !== target ? [{ from: origin, to: target }] : [];
  });

  askHint(): Promise<void> {
    return this.#ask(async ({ match, number }) => (this.#advice = await api.hint(match, number)));
  }

  askChances(square: string): Promise<void> {
    return this.#ask(async ({ match, number }) => (this.#chances = await api.chances(match, number, square)));
  }

  async takeBack(): Promise<void> {
    const number = this.match.snapshot?.number;
    this.clear();
    if (number !== undefined && this.match.can("take-back"))
      await this.match.send({ do: "take-back", number });
  }

  /** Hide the last answer; return whether there was one. */
  clear(): boolean {
    const had = this.words !== "";
    this.#advice = this.#chances = null;
    this.error = "";
    return had;
  }

  async #ask(question: (snapshot: MatchSnapshot) => Promise<unknown>): Promise<void> {
    const snapshot = this.match.snapshot;
    if (!snapshot || this.isThinking) return;
    this.clear();
    this.isThinking = true;
    try {
      await question(snapshot);
    } catch (error) {
      this.error = errorMessage(error);
    } finally {
      this.isThinking = false;
    }
  }

  /** The answer, if it is for the position on the board. */
  #current<Answer extends { number: number }>(answer: Answer | null): Answer | null {
    return answer?.number === this.match.snapshot?.number ? answer : null;
  }
}

/** “On d6: Miner 42%, Scout 20%, others 38%.” */
export function describeChances({ square, kinds, others_percent }: PieceChances): string {
  const part = (piece: string, percent: number): string =>
    t("coach.chances.part", { piece, chance: percent / 100 });
  const parts = kinds.map(({ name, percent }) => part(name, percent));
  if (others_percent) parts.push(part(t("coach.chances.others"), others_percent));
  return t("coach.chances.sentence", { square, chances: parts.join(", ") });
}
