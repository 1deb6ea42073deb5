/** One lesson: the learner's right actions and the server's newest answer. The server stores nothing. */
import { api, errorMessage } from "../api/http";
import type { Choice, LessonState, MatchSnapshot } from "../api/types";
import { markDone } from "./progress.svelte";

export class LessonStore {
  answer = $state.raw<LessonState | null>(null);
  /** why the last action was refused, or why the lesson cannot be loaded */
  error = $state("");
  isBusy = $state(false);
  /** counts the answers, so that the same words again are noticed */
  answers = $state(0);

  constructor(readonly id: string) {
    void this.restart();
  }

  get snapshot(): MatchSnapshot | null {
    return this.answer?.state ?? null;
  }

  get isDone(): boolean {
    return this.answer?.verdict === "done";
  }

  get isMyTurn(): boolean {
    return this.snapshot?.can.includes("act") ?? false;
  }

  restart(): Promise<boolean> {
    return this.#play([]);
  }

  playChoice(choice: Choice): Promise<boolean> {
    return this.playText(choice.text);
  }

  /** Play an action in notation; the error of an illegal one is the referee's explanation. */
  playText(text: string): Promise<boolean> {
    return this.#play([...(this.answer?.actions ?? []), text]);
  }

  async #play(actions: string[]): Promise<boolean> {
    if (this.isBusy) return false;
    this.isBusy = true;
    this.error = "";
    try {
      const before = this.answer;
      const answer = await api.lesson(this.id, actions);
      if (answer.verdict === "illegal") {
        this.error = answer.words;
        return false;
      }
      // after a wrong action the position is the same: nothing is to be drawn anew
      this.answer = answer.verdict === "wrong" && before ? { ...answer, state: before.state } : answer;
      if (this.isDone) markDone(this.id);
      return this.answer.verdict !== "wrong";
    } catch (error) {
      this.error = errorMessage(error);
      return false;
    } finally {
      this.isBusy = false;
      this.answers += 1;
    }
  }
}
