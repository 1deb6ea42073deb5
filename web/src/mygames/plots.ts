/** What the plots of statistics draw: bars in percent of the longest one, each with its text. */
import type { Count, PeriodCount, ResultCount, Statistics } from "../api/types";
import { locale, t } from "../languages";

export interface Segment {
  kind: "won" | "lost" | "drawn" | "plain";
  value: number;
  /** where the segment starts and how long it is, in percent of the plot */
  start: number;
  length: number;
}

export interface Bar {
  id: string;
  label: string;
  text: string;
  segments: Segment[];
}

const RESULTS = ["won", "drawn", "lost"] as const;

/** “5 won, 1 drawn, 2 lost”; what did not happen is left out. */
export const resultText = (results: Results): string =>
  RESULTS.filter((name) => results[name])
    .map((name) => t(`mygames.bar.${name}`, { number: results[name] }))
    .join(", ");

type Results = Record<(typeof RESULTS)[number], number>;

const longestOf = (counts: readonly Results[]): number =>
  Math.max(1, ...counts.map(({ won, lost, drawn }) => won + lost + drawn));

function segmentsOf(count: Results, longest: number): Segment[] {
  let start = 0;
  return RESULTS.filter((kind) => count[kind]).map((kind): Segment => {
    const length = (100 * count[kind]) / longest;
    start += length;
    return { kind, value: count[kind], start: start - length, length };
  });
}

/** A bar of won, drawn and lost games for each level or game. */
export function resultBars(counts: readonly ResultCount[]): Bar[] {
  const longest = longestOf(counts);
  return counts.map((count) => ({
    id: count.id,
    label: count.name,
    text: resultText(count),
    segments: segmentsOf(count, longest),
  }));
}

const DATES: Record<Statistics["period"], Intl.DateTimeFormatOptions> = {
  day: { day: "numeric", month: "short" },
  week: { day: "numeric", month: "short", year: "numeric" },
  month: { month: "short", year: "numeric" },
  year: { year: "numeric" },
};

/** A column of won, drawn and lost games for each day, week, month or year; a week has its Monday's date. */
export function dateColumns(counts: readonly PeriodCount[], period: Statistics["period"]): Bar[] {
  const longest = longestOf(counts);
  const format = new Intl.DateTimeFormat(locale(), { ...DATES[period], timeZone: "UTC" });
  return counts.map((count) => ({
    id: count.start,
    label: format.format(Date.parse(count.start)),
    text: resultText(count),
    segments: segmentsOf(count, longest),
  }));
}

/** A plain bar for each count. */
export function countBars(counts: readonly Count[]): Bar[] {
  const longest = Math.max(1, ...counts.map(({ count }) => count));
  return counts.map(({ name, count }) => ({
    id: name,
    label: name,
    text: count.toLocaleString(locale()),
    segments: [{ kind: "plain", value: count, start: 0, length: (100 * count) / longest }],
  }));
}

/** “3 hours 20 minutes”, “12 minutes”. */
export function durationText(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return t("mygames.time.short");
  const whole = Math.floor(minutes / 60);
  const hours = t("mygames.time.hours", { number: whole });
  const rest = t("mygames.time.minutes", { number: minutes % 60 });
  if (!whole) return rest;
  return minutes % 60 && whole < 24 ? t("mygames.time.both", { hours, minutes: rest }) : hours;
}
