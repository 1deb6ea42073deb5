/** The setups this guest has setup for one side of one game. They lie on the server. */
import { api, ApiError } from "../api/http";
import type { SavedSetup, Side } from "../api/types";

export class SavedSetups {
  setups = $state.raw<readonly SavedSetup[]>([]);
  /** they have been looked for and can be setup */
  isLoaded = $state(false);

  constructor(
    readonly game: string,
    readonly side: Side,
  ) {}

  async load(): Promise<void> {
    try {
      this.#show((await api.mySetups(this.game)).setups);
      this.isLoaded = true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }

  /** Keep a setup under a name; the same name again replaces it. Throws the server's refusal. */
  async save(name: string, code: string): Promise<void> {
    const setup = await api.saveSetup({ game: this.game, side: this.side, name, code });
    this.#show([...this.setups.filter((one) => one.id !== setup.id), setup]);
  }

  async delete(id: string): Promise<void> {
    await api.deleteSetup(id);
    this.setups = this.setups.filter((one) => one.id !== id);
  }

  #show(setups: readonly SavedSetup[]): void {
    this.setups = setups.filter((one) => one.game === this.game && one.side === this.side);
  }
}
