/** Boxes as files. */

/** The largest file that is worth reading; the server says how long a text may be. */
export const MAX_FILE_BYTES = 400_000;

/** The name under which a box is downloaded: “Harbour & Fog” → harbour-fog.toml. */
export function boxFileName(name: string): string {
  const words = name
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return `${words || "box"}.toml`;
}

/** The text with another name, for a copy of a box. */
export function renamed(text: string, name: string): string {
  const quoted = JSON.stringify(name);
  // only the key before the first table is the name of the box
  const end = text.search(/^\s*\[/m);
  const head = end < 0 ? text : text.slice(0, end);
  return head.replace(/^name\s*=.*$/m, () => `name = ${quoted}`) + (end < 0 ? "" : text.slice(end));
}
