/** Setups as text files: the game, the side, and the code row by row. */
import type { Side } from "../api/types";

export interface SetupFile {
  /** empty if the file does not tell */
  game: string;
  side: Side | "";
  code: string;
}

export const MAX_FILE_BYTES = 4000;
/** characters of a code that the server reads */
export const MAX_CODE_LENGTH = 400;

export function writeSetupFile(game: string, side: Side, code: string): string {
  return `game: ${game}\nside: ${side}\n\n${code.split("/").join("\n")}\n`;
}

export function readSetupFile(text: string): SetupFile {
  const file: SetupFile = { game: "", side: "", code: "" };
  const rows: string[] = [];
  for (const line of text.replaceAll("\r", "").split("\n")) {
    const [, key, value] = /^(game|side):\s*(\S+)\s*$/.exec(line) ?? [];
    if (key === "game" && value) file.game = value;
    else if (key === "side" && (value === "south" || value === "north")) file.side = value;
    else if (line.trim()) rows.push(line.trim());
  }
  file.code = rows.join("/");
  return file;
}

/** The name under which a setup is downloaded. */
export const setupFileName = (game: string, side: Side): string =>
  `${game.replaceAll("/", "-")}-${side}-setup.txt`;
