/** What simulated games say about a box: in words first, then as plots. */
import type { GameInfo, KindFigures, Simulation } from "../api/types";

/** A value with its interval on a scale. */
export interface IntervalBar {
  id: string;
  label: string;
  text: string;
  /** in percent of the scale */
  value: number;
  low: number;
  high: number;
}

const percent = (share: number): string => `${Math.round(100 * share)} %`;

/** “between 44 % and 58 %”. */
const between = (low: number, high: number): string => `between ${percent(low)} and ${percent(high)}`;

/** What to do about a box that is not fair or not decisive; empty if nothing certain can be said. */
export function advice(run: Simulation, game: Pick<GameInfo, "armies">): string {
  const [south, north] = game.armies;
  if (run.draws.low > 0.5)
    return "Most games end without a winner. Smaller boards and fewer bombs make games decisive.";
  // the better side is certain if the two intervals do not meet
  if (run.south.low > run.north.high) return `Give ${north.name} something in return.`;
  if (run.north.low > run.south.high) return `Give ${south.name} something in return.`;
  return "";
}

/** Who won how often. */
export function shareBars(run: Simulation, game: Pick<GameInfo, "armies">): IntervalBar[] {
  const [south, north] = game.armies;
  return [
    { id: "south", label: `${south?.name} (moves first)`, share: run.south },
    { id: "north", label: north?.name ?? "", share: run.north },
    { id: "draws", label: "Nobody", share: run.draws },
  ].map(({ id, label, share }) => ({
    id,
    label,
    text: `${share.games} of ${run.played}: ${percent(share.share)}, ${between(share.low, share.high)}`,
    value: 100 * share.share,
    low: 100 * share.low,
    high: 100 * share.high,
  }));
}

const points = (value: number): string => {
  const rounded = Math.round(value * 10) / 10;
  return `${rounded > 0 ? "+" : rounded < 0 ? "−" : ""}${Math.abs(rounded)}`;
};

/** What a piece of each kind is worth: how much its side's chance to win falls when it is lost. */
export function worthBars(kinds: readonly KindFigures[]): IntervalBar[] {
  const known = kinds.filter((kind) => kind.worth !== null && kind.worth !== undefined);
  const low = Math.min(0, ...known.map((kind) => kind.worth_low ?? kind.worth ?? 0));
  const high = Math.max(1, ...known.map((kind) => kind.worth_high ?? kind.worth ?? 0));
  const scale = (value: number): number => (100 * (value - low)) / (high - low);
  return known
    .toSorted((one, other) => (other.worth ?? 0) - (one.worth ?? 0))
    .map((kind) => {
      const worth = kind.worth ?? 0;
      const from = kind.worth_low ?? worth;
      const to = kind.worth_high ?? worth;
      return {
        id: `${kind.side} ${kind.kind}`,
        label: kind.name,
        text: `${points(worth)} (${points(from)} to ${points(to)})`,
        value: scale(worth),
        low: scale(from),
        high: scale(to),
      };
    });
}

/** Where no worth lies on the scale of `worthBars`, in percent. */
export function zeroOf(kinds: readonly KindFigures[]): number {
  const low = Math.min(0, ...kinds.map((kind) => kind.worth_low ?? kind.worth ?? 0));
  const high = Math.max(1, ...kinds.map((kind) => kind.worth_high ?? kind.worth ?? 0));
  return (100 * -low) / (high - low);
}

/** “Half of the games were over after 62 turns.” */
export const lengthText = (run: Simulation): string =>
  run.played ? `Half of the games were over after ${run.median_turns} turns.` : "";

export const survivedText = (kind: KindFigures): string => percent(kind.survived);

export const capturesText = (kind: KindFigures): string => kind.captures.toFixed(1);
