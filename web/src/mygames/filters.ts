/** The filters of the list of games and of statistics, as they are in the address of the page. */
import { t } from "../languages";

export interface Filters {
  game: string;
  opponent: string;
  result: string;
  /** days back from today, as text; empty for all time. Statistics only */
  period: string;
  page: number;
}

/** the results that can be chosen; empty for any */
export const RESULTS: readonly string[] = ["", "running", "won", "lost", "drawn", "cancelled"];
export const COUNTED_RESULTS: readonly string[] = ["", "won", "lost", "drawn"];
export const PERIODS: readonly string[] = ["", "7", "30", "365"];

export const resultName = (result: string): string => t(`mygames.result.${result || "any"}`);
export const periodName = (period: string): string => t(`mygames.period.${period || "all"}`);

const MAX_PAGE = 100_000;

export function readFilters(search: string): Filters {
  const found = new URLSearchParams(search);
  const page = Number(found.get("page") ?? 1);
  const result = found.get("result") ?? "";
  const period = found.get("period") ?? "";
  return {
    game: (found.get("game") ?? "").slice(0, 80),
    opponent: (found.get("opponent") ?? "").slice(0, 40),
    result: RESULTS.includes(result) ? result : "",
    period: PERIODS.includes(period) ? period : "",
    page: Number.isInteger(page) && page >= 1 && page <= MAX_PAGE ? page : 1,
  };
}

/** The address of the list or of statistics with these filters; those that are not set are left out. */
export function pathOf(filters: Partial<Filters>, show = ""): string {
  const set = new URLSearchParams();
  if (show) set.set("show", show);
  for (const name of ["game", "opponent", "result", "period"] as const) {
    const value = filters[name];
    if (value) set.set(name, value);
  }
  if (filters.page && filters.page > 1) set.set("page", String(filters.page));
  const query = set.toString();
  return query ? `/my-games?${query}` : "/my-games";
}

/** What the server is asked for statistics with these filters; a period begins at midnight. */
export function statisticsQuery(filters: Filters, now: Date): Record<string, string | number> {
  const since = new Date(now);
  since.setHours(0, 0, 0, 0);
  since.setDate(since.getDate() - Number(filters.period || 1) + 1);
  return {
    ...(filters.game && { game: filters.game }),
    ...(filters.opponent && { opponent: filters.opponent }),
    ...(COUNTED_RESULTS.includes(filters.result) && filters.result && { result: filters.result }),
    ...(filters.period && { since_ms: since.getTime() }),
    zone: -now.getTimezoneOffset(),
  };
}
