/** Where the newest turn went: dots, frames and arrows, from what the viewer saw of it. */
import type { View } from "../api/types";
import type { Arrow, Mark } from "../board/pieces";

const WAYS = new Set(["move", "attack", "leap", "teleport", "shoot", "detect", "convert", "guess", "spot"]);

interface LastMove {
  marks: Record<string, Mark>;
  arrows: Arrow[];
}

export function lastMoveOf(view: View): LastMove {
  const marks: Record<string, Mark> = {};
  const latest = Math.max(-1, ...view.last_turn.map((event) => event.turn));
  const ways = view.last_turn.filter(
    (event) => event.turn === latest && WAYS.has(event.what) && event.origin && event.target,
  );
  const seen = new Set<string>();
  const arrows: Arrow[] = [];
  for (const event of ways) {
    const way = `${event.origin}${event.target}`;
    if (seen.has(way)) continue;
    seen.add(way);
    arrows.push({ from: event.origin ?? "", to: event.target ?? "" });
  }
  const isLong = arrows.length > 1;
  arrows.forEach((arrow, at) => {
    if (isLong) arrow.number = at + 1;
    marks[arrow.from] = { origin: true };
  });
  for (const arrow of arrows) marks[arrow.to] = { ...marks[arrow.to], frame: true };
  return { marks, arrows };
}
