/** What somebody chose last for a new game; kept as long as the page is open, and nowhere else. */
import type { NewMatch } from "../api/types";
import type { ChosenOptions } from "./options";

export type Opponent = NonNullable<NewMatch["opponent"]>;
export type ChosenSide = "south" | "north" | "lot";

export interface Draft {
  opponent: Opponent;
  level: string;
  secondName: string;
  /** empty: as the box says */
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
