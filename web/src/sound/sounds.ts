/** The sounds of the game as lists of notes, and which of them belongs to what happened. */
import type { MatchSnapshot, Side } from "../api/types";
import type { Step, StepName } from "../motion/steps";

export type SoundName = "step" | "capture" | "loss" | "bomb" | "power" | "flag" | "turn" | "clock";

export interface Note {
  wave: "sine" | "triangle" | "square" | "noise";
  /** when it begins and how long it lasts, in milliseconds */
  at: number;
  ms: number;
  /** pitch at the beginning and at the end, in hertz; for noise, the edge of its low-pass filter */
  from: number;
  to: number;
  /** how loud it is, from 0 to 1 */
  level: number;
}

const note = (wave: Note["wave"], at: number, ms: number, from: number, to: number, level: number): Note => ({
  wave,
  at,
  ms,
  from,
  to,
  level,
});

/** Short, dry and quiet: wood for pieces, metal for fights, a bell for the players. */
export const SOUNDS: Readonly<Record<SoundName, readonly Note[]>> = {
  step: [note("noise", 0, 45, 1800, 500, 0.35), note("sine", 0, 80, 210, 120, 0.4)],
  capture: [
    note("noise", 0, 70, 5000, 1500, 0.35),
    note("triangle", 0, 150, 1480, 1420, 0.18),
    note("triangle", 15, 170, 2210, 2150, 0.1),
    note("sine", 60, 120, 190, 110, 0.45),
  ],
  loss: [
    note("noise", 0, 70, 3200, 900, 0.3),
    note("sine", 30, 170, 262, 220, 0.3),
    note("sine", 170, 260, 196, 147, 0.32),
  ],
  bomb: [
    note("noise", 0, 520, 2400, 90, 0.75),
    note("sine", 0, 380, 110, 38, 0.7),
    note("noise", 0, 50, 7000, 3000, 0.4),
  ],
  power: [
    note("triangle", 0, 200, 440, 880, 0.16),
    note("sine", 60, 260, 660, 1320, 0.14),
    note("noise", 0, 180, 900, 4500, 0.08),
  ],
  flag: [
    note("triangle", 0, 170, 523, 523, 0.22),
    note("triangle", 150, 170, 659, 659, 0.22),
    note("triangle", 300, 380, 784, 784, 0.24),
    note("sine", 300, 380, 1047, 1047, 0.1),
  ],
  turn: [note("sine", 0, 130, 659, 659, 0.16), note("sine", 110, 220, 880, 880, 0.16)],
  clock: [note("square", 0, 28, 1250, 1100, 0.1), note("square", 170, 28, 1250, 1100, 0.1)],
};

const QUIET: ReadonlySet<StepName> = new Set(["step", "run", "march"]);

/** The sound of a step for a viewer on one side, or on none. */
export function soundOfStep(step: Step, side: Side | null, isBomb: (kind: string) => boolean): SoundName {
  const defender = step.shown.find((piece) => piece.square === step.to)?.kind ?? "";
  const isLost = (square: string): boolean => step.lost.some((piece) => piece.square === square);
  if (step.name === "fight" && isBomb(defender) && isLost(step.from) && !isLost(step.to)) return "bomb";
  if (step.name === "purge") return "bomb";
  if (step.lost.length > 0) return step.lost.some((piece) => piece.side === side) ? "loss" : "capture";
  if (step.name === "march" && step.moves.length > 1) return "power";
  return QUIET.has(step.name) ? "step" : step.name === "fight" ? "capture" : "power";
}

/** The sound of something other than a step: the end of the game, or the viewer's turn. */
export function soundOfChange(
  before: MatchSnapshot,
  after: MatchSnapshot,
  { isWaitLong }: { isWaitLong: boolean },
): SoundName | null {
  if (before.match !== after.match || before.viewer !== after.viewer) return null;
  if (after.phase === "over") return before.phase === "playing" ? "flag" : null;
  const isMine = (one: MatchSnapshot): boolean =>
    one.phase === "playing" && one.to_move === one.viewer && one.yours.includes(one.to_move);
  return isMine(after) && !isMine(before) && isWaitLong ? "turn" : null;
}

const ORDER: readonly SoundName[] = ["step", "turn", "power", "capture", "loss", "bomb", "flag"];

/** The one sound that says most, for steps that are not drawn. */
export const loudest = (sounds: readonly SoundName[]): SoundName | null =>
  sounds.reduce<SoundName | null>(
    (best, one) => (best && ORDER.indexOf(best) >= ORDER.indexOf(one) ? best : one),
    null,
  );
