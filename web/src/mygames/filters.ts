/** The filters of the list of games, as they are in the address of the page. */
import { t } from "../languages";

export interface Filters {
  game: string;
  opponent: string;
  result: string;
  page: number;
}

/** the results that can be chosen; empty for any */
export const RESULTS: readonly string[] = ["", "running", "won", "lost", "drawn", "cancelled"];

export const resultName = (result: string): string => t(`mygames.result.${result || "any"}`);

const MAX_PAGE = 100_000;

export function readFilters(search: string): Filters {
  const found = new URLSearchParams(search);
  const page = Number(found.get("page") ?? 1);
  const result = found.get("result") ?? "";
  return {
    game: (found.get("game") ?? "").slice(0, 80),
    opponent: (found.get("opponent") ?? "").slice(0, 40),
    result: RESULTS.includes(result) ? result : "",
    page: Number.isInteger(page) && page >= 1 && page <= MAX_PAGE ? page : 1,
  };
}

/** The address of the list with these filters; those that are not set are left out. */
export function pathOf(filters: Partial<Filters>): string {
  const set = new URLSearchParams();
  for (const name of ["game", "opponent", "result"] as const) {
    const value = filters[name];
    if (value) set.set(name, value);
  }
  if (filters.page && filters.page > 1) set.set("page", String(filters.page));
  const query = set.toString();
  return query ? `/my-games?${query}` : "/my-games";
}
