/** What was last chosen in the new-game dialog; forgotten when the page is closed. */
import type { NewMatch } from "../api/types";
import type { ChosenOptions } from "./options";

export type Opponent = NonNullable<NewMatch["opponent"]>;
export type ChosenSide = "south" | "north" | "lot";

export interface Draft {
  opponent: Opponent;
  level: string;
  secondName: string;
  /** empty for the default of the game */
  side: ChosenSide | "";
  options: ChosenOptions;
}

const general = { opponent: "computer" as Opponent, level: "", secondName: "" };
const byGame = new Map<string, Pick<Draft, "side" | "options">>();

export const draftFor = (game: string): Draft => ({
  side: "",
  options: {},
  ...byGame.get(game),
  ...general,
});

export function saveDraft(game: string, draft: Draft): void {
  const { side, options, ...rest } = draft;
  Object.assign(general, rest);
  byGame.set(game, { side, options: { ...options } });
}
