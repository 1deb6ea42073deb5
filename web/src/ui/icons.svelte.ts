/** Drawings of pieces, loaded per box when a game of that box is shown. */
import boxes from "virtual:icons";
import clientBodies from "virtual:icons/client";
import { clientIcons, type ClientIcon } from "./client-icons";

const loaded = $state<Record<string, string>>({});
const requested = new Set<string>();

/** Fetch the drawings of a box; until they are there, pieces show their numbers and letters. */
export function loadBoxIcons(box: string): void {
  const load = boxes[box];
  if (!load || requested.has(box)) return;
  requested.add(box);
  load().then(
    (module) => Object.assign(loaded, module.default),
    () => requested.delete(box),
  );
}

/** The inside of an icon's SVG, or nothing while it is not there. */
export const boxIcon = (name: string): string => loaded[name] ?? clientBodies[name] ?? "";

export const clientIcon = (name: ClientIcon): string => clientBodies[clientIcons[name]] ?? "";
