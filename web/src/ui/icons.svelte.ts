/** Icons as SVG markup; those of a box are loaded when one of its games is shown. */
import boxes from "virtual:icons";
import clientSvg from "virtual:icons/client";
import { clientIcons, type ClientIcon } from "./client-icons";

const loaded = $state<Record<string, string>>({});
const requested = new Set<string>();

/** Load the icons of a box; until then, pieces show only their numbers and letters. */
export function loadBoxIcons(box: string): void {
  const load = boxes[box];
  if (!load || requested.has(box)) return;
  requested.add(box);
  load().then(
    (module) => Object.assign(loaded, module.default),
    () => requested.delete(box),
  );
}

/** The content of an icon's SVG element; empty while it is not loaded. */
export const boxIcon = (name: string): string => loaded[name] ?? clientSvg[name] ?? "";

export const clientIcon = (name: ClientIcon): string => clientSvg[clientIcons[name]] ?? "";
