/**
 * Vite plugin: icons of the game-icons set as virtual modules, one per box and one for the client, and the
 * whole set as files for boxes that are not part of the build.
 */
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Plugin } from "vite";
import { iconFile, iconFilePath } from "./src/ui/icon-files.ts";

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

const readJson = (name: string): unknown =>
  JSON.parse(
    readFileSync(createRequire(import.meta.url).resolve(`@iconify-json/game-icons/${name}`), "utf8"),
  );

/** The whole set: file number → name → drawing. */
function iconFiles(set: IconSet): Map<number, Record<string, string>> {
  const files = new Map<number, Record<string, string>>();
  const add = (name: string, body: string | undefined): void => {
    const file = iconFile(name);
    if (body) files.set(file, { ...files.get(file), [name]: body });
  };
  for (const [name, { body }] of Object.entries(set.icons)) add(name, body);
  for (const [name, { parent }] of Object.entries(set.aliases ?? {})) add(name, set.icons[parent]?.body);
  return files;
}

export function gameIcons(dataFolder: string, clientIcons: string[]): Plugin {
  const set = readJson("icons.json") as IconSet;
  const { version } = readJson("package.json") as { version: string };
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
      if (box === "version") return `export default ${JSON.stringify(version)};`;
      if (box)
        return drawings(iconNames(readFileSync(join(dataFolder, `${box}.toml`), "utf8")), `${box}.toml`);
      const loaders = boxes.map((name) => `${JSON.stringify(name)}: () => import("${MODULE}/${name}")`);
      return `export default { ${loaders.join(", ")} };`;
    },
    generateBundle() {
      for (const [file, icons] of iconFiles(set))
        this.emitFile({
          type: "asset",
          fileName: iconFilePath(version, file),
          source: JSON.stringify(icons),
        });
    },
    configureServer(server) {
      const files = iconFiles(set);
      const paths = new Map([...files].map(([file, icons]) => [`/${iconFilePath(version, file)}`, icons]));
      server.middlewares.use((request, response, next) => {
        const icons = paths.get(request.url ?? "");
        if (!icons) return next();
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify(icons));
      });
    },
  };
}
