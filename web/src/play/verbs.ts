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
  /** how its way is drawn before it is played */
  line: Line;
}

/** On foot, through the air, out of sight, or a shot at a target. */
export type Line = "walk" | "arc" | "jump" | "shot";

const facts = (
  input: VerbFacts["input"],
  name = "",
  { hasArrow = false, isStrike = false, line = "walk" }: Partial<VerbFacts> = {},
): VerbFacts => ({ input, name, hasArrow, isStrike, line });

export const VERBS: Readonly<Record<Verb, VerbFacts>> = {
  move: facts("move", "", { hasArrow: true }),
  attack: facts("move", "", { hasArrow: true, isStrike: true }),
  done: facts("answer"),
  "choose kind": facts("answer"),
  "choose square": facts("answer"),
  spot: facts("special", "Spot", { hasArrow: true, isStrike: true, line: "shot" }),
  rescue: facts("special", "Rescue"),
  "two-step": facts("special", "Move two steps"),
  leap: facts("special", "Fly", { hasArrow: true, line: "arc" }),
  teleport: facts("special", "Teleport", { hasArrow: true, line: "jump" }),
  shoot: facts("special", "Shoot", { hasArrow: true, isStrike: true, line: "shot" }),
  detect: facts("special", "Look at a piece", { hasArrow: true, isStrike: true, line: "shot" }),
  convert: facts("special", "Convert to your side", { hasArrow: true, isStrike: true, line: "shot" }),
  swing: facts("special", "Strike around", { isStrike: true }),
  sweep: facts("special", "Strike all around", { isStrike: true }),
  advance: facts("special", "Advance together"),
};

/** A guess is an event of its own; it is drawn like the spotting it answers. */
const EVENTS: Readonly<Record<string, VerbFacts | undefined>> = { ...VERBS, guess: VERBS.spot };

export const hasArrow = (event: string): boolean => EVENTS[event]?.hasArrow ?? false;

export const isStrike = (event: string): boolean => EVENTS[event]?.isStrike ?? false;
