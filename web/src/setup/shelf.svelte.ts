/** The setups this guest has kept for one side of one game. They lie on the server. */
import { api, Refusal } from "../api/http";
import type { Side } from "../api/types";

export interface Kept {
  id: string;
  game: string;
  side: Side;
  name: string;
  code: string;
}

export class Shelf {
  setups = $state.raw<readonly Kept[]>([]);
  /** the server keeps setups */
  isThere = $state(false);

  constructor(
    readonly game: string,
    readonly side: Side,
  ) {}

  async load(): Promise<void> {
    try {
      const answer = await api.ask<{ setups: Kept[] }>(
        "GET",
        `/api/me/setups?${new URLSearchParams({ game: this.game })}`,
      );
      this.#show(answer.setups);
      this.isThere = true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }

  /** Keep a setup under a name; throws the server's refusal. */
  async keep(name: string, code: string): Promise<void> {
    const kept = await api.ask<Kept>("PUT", "/api/me/setups", {
      game: this.game,
      side: this.side,
      name,
      code,
    });
    this.#show([...this.setups.filter((one) => one.id !== kept.id && one.name !== kept.name), kept]);
  }

  async drop(id: string): Promise<void> {
    await api.ask("DELETE", `/api/me/setups/${encodeURIComponent(id)}`);
    this.setups = this.setups.filter((one) => one.id !== id);
  }

  #show(setups: readonly Kept[]): void {
    this.setups = setups.filter((one) => one.game === this.game && one.side === this.side);
  }
}
