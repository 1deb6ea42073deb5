/** One puzzle: the solver's actions or picks, and the server's newest answer. The server judges. */
import { api, errorMessage } from "../api/http";
import type { Choice, MatchSnapshot, PuzzleRequest, PuzzleState } from "../api/types";
import { t } from "../languages";
import { markSolved } from "./solved.svelte";

export class PuzzleStore {
  answer = $state.raw<PuzzleState | null>(null);
  /** why the last action was refused, or why the puzzle cannot be loaded */
  error = $state("");
  isBusy = $state(false);
  /** picked squares, where the Flag is sought */
  picks = $state.raw<readonly string[]>([]);
  /** counts the answers, so that the same words again are noticed */
  answers = $state(0);

  constructor(readonly id: string) {
    void this.restart();
  }

  get snapshot(): MatchSnapshot | null {
    return this.answer?.state ?? null;
  }

  get isOver(): boolean {
    return !!this.answer?.verdict;
  }

  get isMyTurn(): boolean {
    return !this.isOver && (this.snapshot?.can.includes("act") ?? false);
  }

  restart(): Promise<boolean> {
    this.picks = [];
    return this.#ask(() => api.puzzle(this.id));
  }

  playChoice(choice: Choice): Promise<boolean> {
    return this.playText(choice.text);
  }

  /** Play an action in notation; the error of an illegal one is the referee's explanation. */
  playText(text: string): Promise<boolean> {
    return this.#try({ actions: [...(this.answer?.actions ?? []), text] });
  }

  decide(choice: "attack" | "leave"): Promise<boolean> {
    return this.#try({ choice });
  }

  submitPicks(): Promise<boolean> {
    return this.#try({ squares: [...this.picks] });
  }

  /** Pick a square with a hidden enemy piece, or take the pick back. The oldest gives way to one too many. */
  togglePick(square: string): void {
    const { answer, snapshot } = this;
    if (!answer?.picks || this.isOver || this.isBusy) return;
    const piece = snapshot?.view?.pieces.find(({ cell }) => cell === square);
    if (!piece || piece.kind || piece.side === snapshot?.viewer) {
      this.error = t("puzzles.pick-hidden");
      return;
    }
    this.error = "";
    this.picks = this.picks.includes(square)
      ? this.picks.filter((one) => one !== square)
      : [...this.picks, square].slice(-answer.picks);
  }

  #try(body: PuzzleRequest): Promise<boolean> {
    return this.#ask(() => api.tryPuzzle(this.id, body));
  }

  async #ask(request: () => Promise<PuzzleState>): Promise<boolean> {
    if (this.isBusy) return false;
    this.isBusy = true;
    this.error = "";
    try {
      this.answer = await request();
      if (this.answer.verdict === "solved") markSolved(this.id);
      return this.answer.verdict !== "failed";
    } catch (error) {
      this.error = errorMessage(error);
      return false;
    } finally {
      this.isBusy = false;
      this.answers += 1;
    }
  }
}
