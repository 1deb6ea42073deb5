/**
 * Where the drawings of all icons of the set are: a few hundred files, each with the icons whose names have
 * the same hash. Boxes that are not part of the build may use any icon; their pages fetch only what they draw.
 */
const FILES = 256;

/** The number of the file that has an icon. */
export function iconFile(name: string): number {
  let hash = 0;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return hash % FILES;
}

/** The address of a file of icons; another version of the icon set has other addresses. */
export const iconFilePath = (version: string, file: number): string => `assets/icons-${version}/${file}.json`;
