/** The filters of the list of games, as they are in the address of the page. */

export interface Filters {
  game: string;
  opponent: string;
  result: string;
  page: number;
}

export const RESULTS: readonly { id: string; name: string }[] = [
  { id: "", name: "Any result" },
  { id: "running", name: "Still playing" },
  { id: "won", name: "Won" },
  { id: "lost", name: "Lost" },
  { id: "drawn", name: "Drawn" },
  { id: "cancelled", name: "Cancelled" },
];

const MAX_PAGE = 100_000;

export function readFilters(search: string): Filters {
  const found = new URLSearchParams(search);
  const page = Number(found.get("page") ?? 1);
  const result = found.get("result") ?? "";
  return {
    game: (found.get("game") ?? "").slice(0, 80),
    opponent: (found.get("opponent") ?? "").slice(0, 40),
    result: RESULTS.some(({ id }) => id === result) ? result : "",
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
