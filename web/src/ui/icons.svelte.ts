/** Icons as SVG markup; those of a box are loaded when one of its games is shown. */
import boxes from "virtual:icons";
import clientSvg from "virtual:icons/client";
import version from "virtual:icons/version";
import { SvelteMap } from "svelte/reactivity";
import type { GameInfo } from "../api/types";
import { clientIcons, type ClientIcon } from "./client-icons";
import { iconFile, iconFilePath } from "./icon-files";

const loaded = new SvelteMap(Object.entries(clientSvg));
const requested = new Set<string>();

/** Load the icons of a game; until then, pieces show only their numbers and letters. */
export function loadGameIcons(game: GameInfo): void {
  const load = boxes[game.box];
  if (load) void request(game.box, () => load().then((module) => module.default));
  else loadIcons(game.kinds.flatMap((kind) => [kind.south.icon, kind.north.icon]));
}

/** Load icons by their names in the icon set; a name that is not in it stays without a picture. */
export function loadIcons(names: readonly string[]): void {
  for (const name of names) {
    if (!name || boxIcon(name)) continue;
    const path = `/${iconFilePath(version, iconFile(name))}`;
    void request(path, async () => (await fetch(path)).json() as Promise<Record<string, string>>);
  }
}

async function request(id: string, load: () => Promise<Record<string, string>>): Promise<void> {
  if (requested.has(id)) return;
  requested.add(id);
  try {
    for (const [name, body] of Object.entries(await load())) loaded.set(name, body);
  } catch {
    requested.delete(id);
  }
}

/** The content of an icon's SVG element; empty while it is not loaded. */
export const boxIcon = (name: string): string => loaded.get(name) ?? "";

export const clientIcon = (name: ClientIcon): string => clientSvg[clientIcons[name]] ?? "";
