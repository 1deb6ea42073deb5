/** The history of a match in which turns were taken back. */
import type { News } from "../api/types";

const STAYS = new Set(["seated", "lot", "sealed", "taken back"]);

/** The news that still counts: what came before “taken back” in that turn or a later one is left out. */
export function withoutTakenBack(history: readonly News[]): News[] {
  let kept: News[] = [];
  for (const news of history) {
    const back = news.events.find((event) => event.what === "taken back");
    if (back)
      kept = kept.filter(({ events }) =>
        events.some(({ what, turn }) => STAYS.has(what) || turn < back.turn),
      );
    kept.push(news);
  }
  return kept;
}
