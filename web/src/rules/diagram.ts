/** Drawings in rules pages: squares written as single signs, with a legend below. */
export interface Drawing {
  /** rows of signs from the top down */
  rows: string[][];
  columns: string[];
  numbers: string[];
  legend: { sign: string; words: string }[];
}

const SIGN = /^[.#@+xoPsn]$/;

/** Read a drawing, or nothing if the text is not one. */
export function readDrawing(text: string): Drawing | null {
  const drawing: Drawing = { rows: [], columns: [], numbers: [], legend: [] };
  const [squares = "", ...words] = text.trimEnd().split(/\n\s*\n/);
  for (const line of squares.split("\n")) {
    const signs = line.trim().split(/\s+/);
    if (signs.every((sign) => /^[a-z]$/.test(sign)) && signs.join("") === alphabet(signs.length)) {
      drawing.columns = signs;
      continue;
    }
    const number = /^\d+$/.test(signs[0] ?? "") ? signs.shift() : undefined;
    if (number !== undefined) drawing.numbers.push(number);
    if (number !== undefined && signs.at(-1) === number) signs.pop();
    if (!signs.length || !signs.every((sign) => SIGN.test(sign))) return null;
    drawing.rows.push(signs);
  }
  const width = drawing.rows[0]?.length ?? 0;
  if (!width || drawing.rows.some((row) => row.length !== width)) return null;
  drawing.legend = words.flatMap((part) => part.split("\n")).flatMap(readLegend);
  return drawing;
}

const alphabet = (length: number): string => "abcdefghijklmnopqrstuvwxyz".slice(0, length);

const readLegend = (line: string): Drawing["legend"] =>
  line
    .trim()
    .split(/\s{4,}/)
    .flatMap((entry) => {
      const found = /^(\S)\s+(.*)$/.exec(entry);
      return found ? [{ sign: found[1] ?? "", words: found[2] ?? "" }] : [];
    });
