/** Everything the client knows about the verbs of the game; what they do is known to the server only. */
import type { Choice } from "../api/types";
import { t } from "../languages";
import type { ClientIcon } from "../ui/client-icons";

export type Verb = Choice["verb"];

interface VerbFacts {
  /** how it is chosen: on the board, as the answer to a prompt, or as a special action of a piece */
  input: "move" | "answer" | "special";
  /** the last turn is drawn as an arrow from origin to target */
  hasArrow: boolean;
  /** it can reveal or capture pieces, which are then shown on a battle card */
  isStrike: boolean;
  /** how its way is drawn before it is played */
  line: Line;
  /** what stands between the two pieces on a battle card */
  sign: ClientIcon;
}

/** On foot, through the air, out of sight, or a shot at a target. */
export type Line = "walk" | "arc" | "jump" | "shot";

const facts = (
  input: VerbFacts["input"],
  { hasArrow = false, isStrike = false, line = "walk", sign = "swords" }: Partial<VerbFacts> = {},
): VerbFacts => ({ input, hasArrow, isStrike, line, sign });

export const VERBS: Readonly<Record<Verb, VerbFacts>> = {
  move: facts("move", { hasArrow: true }),
  attack: facts("move", { hasArrow: true, isStrike: true }),
  done: facts("answer"),
  "choose kind": facts("answer"),
  "choose square": facts("answer"),
  spot: facts("special", { hasArrow: true, isStrike: true, line: "shot", sign: "spyglass" }),
  rescue: facts("special"),
  "two-step": facts("special"),
  leap: facts("special", { hasArrow: true, line: "arc" }),
  teleport: facts("special", { hasArrow: true, line: "jump" }),
  shoot: facts("special", { hasArrow: true, isStrike: true, line: "shot", sign: "shot" }),
  detect: facts("special", { hasArrow: true, isStrike: true, line: "shot", sign: "eye" }),
  convert: facts("special", { hasArrow: true, isStrike: true, line: "shot", sign: "magic" }),
  swing: facts("special", { isStrike: true }),
  sweep: facts("special", { isStrike: true }),
  advance: facts("special"),
};

/** What a special action is called if its power has no name. */
export const verbName = (verb: Verb): string => t(`play.verb.${verb}`);

/** A guess is an event of its own; it is drawn like the spotting it answers. */
const EVENTS: Readonly<Record<string, VerbFacts | undefined>> = { ...VERBS, guess: VERBS.spot };

export const hasArrow = (event: string): boolean => EVENTS[event]?.hasArrow ?? false;

export const isStrike = (event: string): boolean => EVENTS[event]?.isStrike ?? false;

export const signOf = (event: string): ClientIcon => EVENTS[event]?.sign ?? "swords";
