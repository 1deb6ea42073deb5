/** Diagrams in rules pages: squares written as single characters, with a legend below. */
export interface Diagram {
  /** rows of symbols from the top down */
  rows: string[][];
  columns: string[];
  numbers: string[];
  legend: { symbol: string; words: string }[];
}

const SYMBOL = /^[.#@+xoPsn]$/;

/** Parse a diagram; null if the text is not one. */
export function parseDiagram(text: string): Diagram | null {
  const diagram: Diagram = { rows: [], columns: [], numbers: [], legend: [] };
  const [squares = "", ...legend] = text.trimEnd().split(/\n\s*\n/);
  for (const line of squares.split("\n")) {
    const symbols = line.trim().split(/\s+/);
    if (symbols.every((symbol) => /^[a-z]$/.test(symbol)) && symbols.join("") === alphabet(symbols.length)) {
      diagram.columns = symbols;
      continue;
    }
    const number = /^\d+$/.test(symbols[0] ?? "") ? symbols.shift() : undefined;
    if (number !== undefined) diagram.numbers.push(number);
    if (number !== undefined && symbols.at(-1) === number) symbols.pop();
    if (!symbols.length || !symbols.every((symbol) => SYMBOL.test(symbol))) return null;
    diagram.rows.push(symbols);
  }
  const width = diagram.rows[0]?.length ?? 0;
  if (!width || diagram.rows.some((row) => row.length !== width)) return null;
  diagram.legend = legend.flatMap((part) => part.split("\n")).flatMap(parseLegend);
  return diagram;
}

const alphabet = (length: number): string => "abcdefghijklmnopqrstuvwxyz".slice(0, length);

const parseLegend = (line: string): Diagram["legend"] =>
  line
    .trim()
    .split(/\s{4,}/)
    .flatMap((entry) => {
      const found = /^(\S)\s+(.*)$/.exec(entry);
      return found ? [{ symbol: found[1] ?? "", words: found[2] ?? "" }] : [];
    });
