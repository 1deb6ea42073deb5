/** Everything the client knows about the verbs of the game; what they do is known to the server only. */
import type { Choice } from "../api/types";

export type Verb = Choice["verb"];

interface VerbFacts {
  /** how it is chosen: on the board, as the answer to a prompt, or as a special action of a piece */
  input: "move" | "answer" | "special";
  /** what a special action is called if its power has no name */
  name: string;
  /** the last turn is drawn as an arrow from origin to target */
  hasArrow: boolean;
  /** it can reveal or capture pieces, which are then shown on a battle card */
  isStrike: boolean;
}

const facts = (
  input: VerbFacts["input"],
  name = "",
  { hasArrow = false, isStrike = false }: Partial<VerbFacts> = {},
): VerbFacts => ({ input, name, hasArrow, isStrike });

export const VERBS: Readonly<Record<Verb, VerbFacts>> = {
  move: facts("move", "", { hasArrow: true }),
  attack: facts("move", "", { hasArrow: true, isStrike: true }),
  done: facts("answer"),
  "choose kind": facts("answer"),
  "choose square": facts("answer"),
  spot: facts("special", "Spot", { hasArrow: true, isStrike: true }),
  rescue: facts("special", "Rescue"),
  "two-step": facts("special", "Move two steps"),
  leap: facts("special", "Fly", { hasArrow: true }),
  teleport: facts("special", "Teleport", { hasArrow: true }),
  shoot: facts("special", "Shoot", { hasArrow: true, isStrike: true }),
  detect: facts("special", "Look", { hasArrow: true, isStrike: true }),
  convert: facts("special", "Win over", { hasArrow: true, isStrike: true }),
  swing: facts("special", "Strike around", { isStrike: true }),
  sweep: facts("special", "Strike all around", { isStrike: true }),
  advance: facts("special", "Advance together"),
};

/** A guess is an event of its own; it is drawn like the spotting it answers. */
const EVENTS: Readonly<Record<string, VerbFacts | undefined>> = { ...VERBS, guess: VERBS.spot };

export const hasArrow = (event: string): boolean => EVENTS[event]?.hasArrow ?? false;

export const isStrike = (event: string): boolean => EVENTS[event]?.isStrike ?? false;
