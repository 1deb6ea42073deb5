/** Marks and arrows for the last turn, from what the viewer saw of it. */
import type { View } from "../api/types";
import type { Arrow, Mark } from "../board/marks";
import { hasArrow } from "./verbs";

interface LastMove {
  marks: Record<string, Mark>;
  arrows: Arrow[];
}

export const NO_MOVE: LastMove = { marks: {}, arrows: [] };

export function lastMoveOf(view: View): LastMove {
  const latest = Math.max(-1, ...view.last_turn.map((event) => event.turn));
  const arrows = new Map<string, Arrow>();
  for (const { turn, what, origin, target } of view.last_turn)
    if (turn === latest && hasArrow(what) && origin && target)
      arrows.set(`${origin}${target}`, { from: origin, to: target });
  const marks: Record<string, Mark> = {};
  [...arrows.values()].forEach((arrow, index) => {
    if (arrows.size > 1) arrow.number = index + 1;
    marks[arrow.from] = { origin: true };
  });
  for (const arrow of arrows.values()) marks[arrow.to] = { ...marks[arrow.to], frame: true };
  return { marks, arrows: [...arrows.values()] };
}
