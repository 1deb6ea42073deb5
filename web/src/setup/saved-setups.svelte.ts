/** The guest's saved setups for one side of one game; they are stored on the server. */
import { api, ApiError } from "../api/http";
import type { SavedSetup, Side } from "../api/types";

export class SavedSetups {
  setups = $state.raw<readonly SavedSetup[]>([]);
  /** the list has been fetched, so setups can be saved */
  isLoaded = $state(false);

  constructor(
    readonly game: string,
    readonly side: Side,
  ) {}

  async load(): Promise<void> {
    try {
      this.#set((await api.mySetups(this.game)).setups);
      this.isLoaded = true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }

  /** Save a setup under a name, replacing one of the same name; throws the server's error. */
  async save(name: string, code: string, tags: readonly string[] = []): Promise<void> {
    const own = tags.length ? { own_tags: [...tags] } : {};
    this.#replace(await api.saveSetup({ game: this.game, side: this.side, name, code, ...own }));
  }

  /** Give a saved setup other tags; throws the server's error. */
  async tag({ name, code }: SavedSetup, tags: readonly string[]): Promise<void> {
    this.#replace(await api.saveSetup({ game: this.game, side: this.side, name, code, own_tags: [...tags] }));
  }

  async delete(id: string): Promise<void> {
    await api.deleteSetup(id);
    this.setups = this.setups.filter((other) => other.id !== id);
  }

  #replace(setup: SavedSetup): void {
    const isKnown = this.setups.some(({ id }) => id === setup.id);
    this.#set(
      isKnown ? this.setups.map((other) => (other.id === setup.id ? setup : other)) : [...this.setups, setup],
    );
  }

  #set(setups: readonly SavedSetup[]): void {
    this.setups = setups.filter((setup) => setup.game === this.game && setup.side === this.side);
  }
}
