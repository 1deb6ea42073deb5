/** What the plots of statistics draw: bars in percent of the longest one, each with its text. */
import type { Count, ResultCount } from "../api/types";

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

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en-GB")} ${count === 1 ? one : many}`;

/** “5 won, 1 drawn, 2 lost”; what did not happen is left out. */
export const resultText = (results: Record<(typeof RESULTS)[number], number>): string =>
  RESULTS.filter((name) => results[name])
    .map((name) => `${results[name]} ${name}`)
    .join(", ");

/** A bar of won, drawn and lost games for each level or game. */
export function resultBars(counts: readonly ResultCount[]): Bar[] {
  const longest = Math.max(1, ...counts.map(({ won, lost, drawn }) => won + lost + drawn));
  return counts.map((count) => {
    let start = 0;
    const segments = RESULTS.filter((kind) => count[kind]).map((kind): Segment => {
      const length = (100 * count[kind]) / longest;
      start += length;
      return { kind, value: count[kind], start: start - length, length };
    });
    return { id: count.id, label: count.name, text: resultText(count), segments };
  });
}

/** A plain bar for each count. */
export function countBars(counts: readonly Count[]): Bar[] {
  const longest = Math.max(1, ...counts.map(({ count }) => count));
  return counts.map(({ name, count }) => ({
    id: name,
    label: name,
    text: count.toLocaleString("en-GB"),
    segments: [{ kind: "plain", value: count, start: 0, length: (100 * count) / longest }],
  }));
}

/** “3 hours 20 minutes”, “12 minutes”. */
export function durationText(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return "less than a minute";
  const hours = Math.floor(minutes / 60);
  const parts = [];
  if (hours) parts.push(counted(hours, "hour"));
  if (minutes % 60 && hours < 24) parts.push(counted(minutes % 60, "minute"));
  return parts.join(" ");
}
