import type { PlacementCounts } from "../api/types";

export interface Heat {
  /** share of the setups with a piece of the kind here, from 0 to 1 */
  share: number;
  /** the share compared with that of the most usual square, from 0 to 1 */
  strength: number;
}

/** How often a kind stands on each square. */
export function heatOf(placements: PlacementCounts, kind: string): Map<string, Heat> {
  const counts = Object.entries(placements.counts[kind] ?? {});
  const most = Math.max(1, ...counts.map(([, count]) => count));
  return new Map(
    counts.map(([cell, count]) => [
      cell,
      { share: count / Math.max(1, placements.setups), strength: count / most },
    ]),
  );
}

/** “12”, “<1” or nothing, for a square of the heat map. */
export function percentLabel(share: number): string {
  if (share <= 0) return "";
  const percent = Math.round(100 * share);
  return percent < 1 ? "<1" : String(percent);
}
