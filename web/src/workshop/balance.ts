/** What simulated games say about a box: in words first, then as plots. */
import type { GameInfo, KindFigures, Simulation } from "../api/types";
import { locale, t } from "../languages";

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

const percent = (share: number): string => t("workshop.balance.percent", { number: Math.round(100 * share) });

/** What to do about a box that is not fair or not decisive; empty if nothing certain can be said. */
export function advice(run: Simulation, game: Pick<GameInfo, "armies">): string {
  const [south, north] = game.armies;
  if (run.draws.low > 0.5) return t("workshop.balance.drawn");
  // the better side is certain if the two intervals do not meet
  if (run.south.low > run.north.high) return t("workshop.balance.weaker", { army: north.name });
  if (run.north.low > run.south.high) return t("workshop.balance.weaker", { army: south.name });
  return "";
}

/** Who won how often. */
export function shareBars(run: Simulation, game: Pick<GameInfo, "armies">): IntervalBar[] {
  const [south, north] = game.armies;
  return [
    { id: "south", label: t("workshop.balance.first", { army: south.name }), share: run.south },
    { id: "north", label: north?.name ?? "", share: run.north },
    { id: "draws", label: t("workshop.balance.nobody"), share: run.draws },
  ].map(({ id, label, share }) => ({
    id,
    label,
    text: t("workshop.balance.share", {
      games: share.games,
      played: run.played,
      share: percent(share.share),
      low: percent(share.low),
      high: percent(share.high),
    }),
    value: 100 * share.share,
    low: 100 * share.low,
    high: 100 * share.high,
  }));
}

const points = (value: number): string => {
  const rounded = Math.round(value * 10) / 10;
  return `${rounded > 0 ? "+" : rounded < 0 ? "−" : ""}${Math.abs(rounded).toLocaleString(locale())}`;
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
        text: t("workshop.simulate.worth-bar", {
          points: points(worth),
          low: points(from),
          high: points(to),
        }),
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
  run.played ? t("workshop.simulate.half", { turns: run.median_turns }) : "";

export const survivedText = (kind: KindFigures): string => percent(kind.survived);

export const capturesText = (kind: KindFigures): string =>
  kind.captures.toLocaleString(locale(), { minimumFractionDigits: 1, maximumFractionDigits: 1 });
