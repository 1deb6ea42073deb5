/** Words and small sums for a review. */
import type { Findings, Side, Verdict } from "../api/types";

export const percent = (chance: number): string => {
  if (chance > 0 && chance < 0.005) return "under 1 %";
  if (chance < 1 && chance > 0.995) return "over 99 %";
  return `${Math.round(100 * chance)} %`;
};

export const GRADES: Readonly<Record<Verdict["grade"], string>> = {
  best: "Best choice",
  good: "Good choice",
  inaccuracy: "Inaccuracy",
  mistake: "Mistake",
  blunder: "Blunder",
};

export const sideName = (side: Side): string => (side === "south" ? "South" : "North");

/** “won 5 of 7 fights, 4.2 expected” */
export function luckWords(side: Findings["sides"][number]): string {
  if (side.fights === 0) return "No fights with hidden pieces.";
  const gain = side.won - side.expected;
  const luck = Math.abs(gain) < 0.75 ? "as expected" : gain > 0 ? "lucky" : "unlucky";
  return `Won ${side.won} of ${side.fights} fights with hidden pieces; ${side.expected.toFixed(1)} expected: ${luck}.`;
}

export interface GraphPoint {
  turn: number;
  value: number;
}

/** Each side's own estimate before its turns. */
export const estimates = (findings: Findings, side: Side): GraphPoint[] =>
  findings.turns.flatMap(({ turn, side: mover, known }) =>
    mover === side && known ? [{ turn, value: known.estimate }] : [],
  );

/** South's chance when all pieces are known; the mean of two turns, because a mover is always a little ahead. */
export function trueChances(findings: Findings): GraphPoint[] {
  const points = findings.turns.flatMap(({ turn, side, truth }) =>
    truth ? [{ turn, value: side === "south" ? truth.estimate : 1 - truth.estimate }] : [],
  );
  return points.map(({ turn, value }, index) => ({
    turn,
    value: (value + (points[index - 1]?.value ?? value)) / 2,
  }));
}

/** The last value at or before a turn. */
export const valueAt = (points: readonly GraphPoint[], turn: number): number | undefined =>
  points.findLast((point) => point.turn <= turn)?.value;
