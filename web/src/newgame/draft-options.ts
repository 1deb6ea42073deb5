/** What was last chosen in the new-game dialog. The opponent is remembered by the browser, the rest until the page is closed. */
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

type General = Pick<Draft, "opponent" | "level" | "secondName">;

const KEY = "flagfall.opponent";
const FIRST: General = { opponent: "computer", level: "recruit", secondName: "" };
const OPPONENTS: readonly string[] = ["computer", "hot-seat", "friend", "lobby"];
const byGame = new Map<string, Pick<Draft, "side" | "options">>();
let general: General | undefined;

/** The opponent who was played last; for a new visitor the weakest level. */
function lastOpponent(): General {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Record<keyof General, unknown>>;
    const { opponent, level } = stored;
    return {
      ...FIRST,
      ...(typeof opponent === "string" && OPPONENTS.includes(opponent)
        ? { opponent: opponent as Opponent }
        : {}),
      ...(typeof level === "string" ? { level } : {}),
    };
  } catch {
    return FIRST;
  }
}

export const draftFor = (game: string): Draft => ({
  side: "",
  options: {},
  ...byGame.get(game),
  ...(general ?? lastOpponent()),
});

/** Keep what is chosen while the page is open. */
export function saveDraft(game: string, draft: Draft): void {
  const { side, options, ...rest } = draft;
  general = rest;
  byGame.set(game, { side, options: { ...options } });
}

/** Remember the opponent for the next visit. */
export function rememberOpponent({ opponent, level }: Draft): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ opponent, level }));
  } catch {
    // private windows may have no storage
  }
}
