/** Icons as SVG markup; those of a box are loaded when one of its games is shown. */
import boxes from "virtual:icons";
import clientSvg from "virtual:icons/client";
import version from "virtual:icons/version";
import { SvelteMap } from "svelte/reactivity";
import type { GameInfo } from "../api/types";
import { clientIcons, type ClientIcon } from "./client-icons";
import { iconFile, iconFilePath } from "./icon-files";

const loaded = new SvelteMap(Object.entries(clientSvg));
const requested = new Map<string, Promise<void>>();

/** Load the icons of a game; until then, pieces show only their numbers and letters. */
export function loadGameIcons(game: GameInfo): void {
  const load = boxes[game.box];
  if (load) void request(game.box, () => load().then((module) => module.default));
  else void loadIcons(game.kinds.flatMap((kind) => [kind.south.icon, kind.north.icon]));
}

/** Load icons by their names in the icon set; a name that is not in it stays without a picture. */
export async function loadIcons(names: readonly string[]): Promise<void> {
  const missing = names.filter((name) => name && !boxIcon(name));
  const paths = new Set(missing.map((name) => `/${iconFilePath(version, iconFile(name))}`));
  await Promise.all(
    [...paths].map((path) =>
      request(path, async () => (await fetch(path)).json() as Promise<Record<string, string>>),
    ),
  );
}

/** Load a file of drawings, unless it is loaded or on its way; a failed one can be asked for again. */
function request(id: string, load: () => Promise<Record<string, string>>): Promise<void> {
  const running = requested.get(id);
  if (running) return running;
  const loading = load().then(
    (drawings) => Object.entries(drawings).forEach(([name, body]) => loaded.set(name, body)),
    () => void requested.delete(id),
  );
  requested.set(id, loading);
  return loading;
}

/** The content of an icon's SVG element; empty while it is not loaded. */
export const boxIcon = (name: string): string => loaded.get(name) ?? "";

export const clientIcon = (name: ClientIcon): string => clientSvg[clientIcons[name]] ?? "";
