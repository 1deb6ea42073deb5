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

export const CAUSES: Readonly<Record<Findings["turning_points"][number]["cause"], string>> = {
  choice: "a choice that cost a lot",
  events: "a fight or an answer that hurt",
  "missed win": "a win was there and was missed",
};

/** “3 mistakes in 40 turns; the other choices were sound.” */
export function skillWords(side: Findings["sides"][number]): string {
  const mistakes = side.mistakes === 0 ? "no mistakes" : counted(side.mistakes, "mistake");
  const loss = 100 * side.given_away;
  const quality = loss < 1 ? "nearly every choice was good" : loss < 3 ? "most choices were good" : "";
  return `${mistakes} in ${counted(side.turns, "turn")}${quality && `; ${quality}`}.`;
}

/** “won 5 of 7 fights with hidden pieces; about 4 would be usual. Lucky!” */
export function luckWords(side: Findings["sides"][number]): string {
  if (side.fights === 0) return "no fights with hidden pieces.";
  const gain = side.won - side.expected;
  const luck = Math.abs(gain) < 0.75 ? "Neither lucky nor unlucky." : gain > 0 ? "Lucky!" : "Unlucky.";
  const usual = Number(side.expected.toFixed(1));
  return `won ${side.won} of ${counted(side.fights, "fight")} with hidden pieces; about ${usual} would be usual. ${luck}`;
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

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
