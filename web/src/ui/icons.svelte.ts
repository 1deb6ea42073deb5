/** Drawings of pieces, loaded per box when a game of that box is shown. */
import boxes from "virtual:icons";
import own from "virtual:icons/own";
import { ownIcons, type OwnIcon } from "./client-icons";

const loaded = $state<Record<string, string>>({});
const asked = new Set<string>();

/** Fetch the drawings of a box; until they are there, pieces show their numbers and letters. */
export function loadDrawings(box: string): void {
  const open = boxes[box];
  if (!open || asked.has(box)) return;
  asked.add(box);
  open().then(
    (module) => Object.assign(loaded, module.default),
    () => asked.delete(box),
  );
}

/** The inside of an icon's SVG, or nothing while it is not there. */
export const drawing = (name: string): string => loaded[name] ?? own[name] ?? "";

export const ownDrawing = (name: OwnIcon): string => own[ownIcons[name]] ?? "";
