/** Words and small sums for a review. */
import type { Findings, Side, Verdict } from "../api/types";
import { locale, t } from "../languages";

export const percent = (chance: number): string => {
  if (chance > 0 && chance < 0.005) return t("review.chance.under", { chance: 0.01 });
  if (chance < 1 && chance > 0.995) return t("review.chance.over", { chance: 0.99 });
  return (Math.round(100 * chance) / 100).toLocaleString(locale(), { style: "percent" });
};

export const gradeName = (grade: Verdict["grade"]): string => t(`review.grade.${grade}`);

export const sideName = (side: Side): string => t(`common.side.${side}`);

type TurningPoint = Findings["turning_points"][number];

const CAUSES: Readonly<Record<TurningPoint["cause"], string>> = {
  choice: "review.cause.choice",
  events: "review.cause.events",
  "missed win": "review.cause.missed-win",
};

/** “South, turn 12: a better choice was there”. */
export const pointTitle = ({ side, turn, cause }: TurningPoint): string =>
  t("review.points.point", { side, turn: turnNumber(turn), cause: t(CAUSES[cause]) });

/** The number of a turn in the list of moves and in the replay; the server counts from 0. */
export const turnNumber = (turn: number): number => turn + 1;

/** “3 mistakes in 40 turns; the other choices were sound.” */
export function skillWords(side: Findings["sides"][number]): string {
  const words = {
    mistakes: side.mistakes
      ? t("review.skill.mistakes", { number: side.mistakes })
      : t("review.skill.no-mistakes"),
    turns: t("review.skill.turns", { number: side.turns }),
  };
  const loss = 100 * side.given_away;
  if (loss < 1) return t("review.skill.nearly-all-good", words);
  return loss < 3 ? t("review.skill.most-good", words) : t("review.skill.plain", words);
}

/** “won 5 of 7 fights with hidden pieces; about 4 would be usual. Lucky!” */
export function luckWords(side: Findings["sides"][number]): string {
  if (side.fights === 0) return t("review.luck.none");
  const gain = side.won - side.expected;
  const luck = Math.abs(gain) < 0.75 ? "neither" : gain > 0 ? "lucky" : "unlucky";
  return t("review.luck.fights", {
    number: side.fights,
    won: side.won,
    usual: Number(side.expected.toFixed(1)),
    luck: t(`review.luck.${luck}`),
  });
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
