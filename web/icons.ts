/** Vite plugin: icons of the game-icons set as virtual modules, one per box and one for the client. */
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Plugin } from "vite";

interface Entry {
  body: string;
}
interface Alias {
  parent: string;
}
interface IconSet {
  icons: Record<string, Entry>;
  aliases?: Record<string, Alias>;
}

const MODULE = "virtual:icons";

/** The names of the icons in one box file. */
export function iconNames(toml: string): string[] {
  const names = new Set<string>();
  for (const line of toml.matchAll(/^icons?\s*=\s*(.+)$/gm)) {
    for (const name of (line[1] ?? "").matchAll(/"([a-z0-9-]+)"/g)) names.add(name[1] ?? "");
  }
  return [...names].sort();
}

export function gameIcons(dataFolder: string, clientIcons: string[]): Plugin {
  const set = JSON.parse(
    readFileSync(createRequire(import.meta.url).resolve("@iconify-json/game-icons/icons.json"), "utf8"),
  ) as IconSet;
  const boxes = readdirSync(dataFolder)
    .filter((file) => file.endsWith(".toml"))
    .map((file) => file.replace(/\.toml$/, ""));

  const drawing = (name: string, from: string): string => {
    const parent = set.aliases?.[name]?.parent ?? name;
    const icon = set.icons[parent];
    if (!icon) throw new Error(`${from}: the icon “${name}” is not in the game-icons set`);
    return icon.body;
  };
  const drawings = (names: string[], from: string): string =>
    `export default ${JSON.stringify(Object.fromEntries(names.map((name) => [name, drawing(name, from)])))};`;

  return {
    name: "game-icons",
    resolveId: (id) => (id.startsWith(MODULE) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${MODULE}`)) return undefined;
      const box = id.slice(MODULE.length + 2);
      if (box === "client") return drawings(clientIcons, "the client");
      if (box)
        return drawings(iconNames(readFileSync(join(dataFolder, `${box}.toml`), "utf8")), `${box}.toml`);
      const loaders = boxes.map((name) => `${JSON.stringify(name)}: () => import("${MODULE}/${name}")`);
      return `export default { ${loaders.join(", ")} };`;
    },
  };
}
