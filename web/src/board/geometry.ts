/** Squares by name, such as d4, and where they are on the screen. */
export interface Size {
  columns: number;
  rows: number;
}

export const squareName = (column: number, row: number): string =>
  `${String.fromCharCode(97 + column)}${row + 1}`;

export const columnOf = (cell: string): number => cell.charCodeAt(0) - 97;

export const rowOf = (cell: string): number => Number(cell.slice(1)) - 1;

/** The names of all squares by row, from the top of the screen down. */
export function rowsOnScreen(size: Size, isFlipped: boolean): string[][] {
  const rows = Array.from({ length: size.rows }, (_, row) =>
    Array.from({ length: size.columns }, (_, column) => squareName(column, row)),
  );
  return isFlipped ? rows.map((row) => row.toReversed()) : rows.toReversed();
}

/** The next square on the screen in some direction; the same square at the edge of the board. */
export function neighbour(cell: string, right: number, down: number, size: Size, isFlipped: boolean): string {
  const turn = isFlipped ? -1 : 1;
  const column = Math.min(size.columns - 1, Math.max(0, columnOf(cell) + right * turn));
  const row = Math.min(size.rows - 1, Math.max(0, rowOf(cell) - down * turn));
  return squareName(column, row);
}

/** The centre of a square in units of squares, from the top left of the board. */
export function centre(cell: string, size: Size, isFlipped: boolean): { x: number; y: number } {
  const column = columnOf(cell);
  const row = rowOf(cell);
  return isFlipped
    ? { x: size.columns - column - 0.5, y: row + 0.5 }
    : { x: column + 0.5, y: size.rows - row - 0.5 };
}

/** The end of an arrow between two centres, a little before the second. */
export function arrowEnd(a: { x: number; y: number }, b: { x: number; y: number }): { x: number; y: number } {
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  const ratio = length > 0 ? Math.max(0, length - 0.42) / length : 0;
  return { x: a.x + (b.x - a.x) * ratio, y: a.y + (b.y - a.y) * ratio };
}

export const isSquare = (name: string): boolean => /^[a-z]\d+$/.test(name);

/** The squares strictly between two squares of one row or column; empty for any others. */
export function squaresBetween(from: string, to: string): string[] {
  const across = columnOf(to) - columnOf(from);
  const up = rowOf(to) - rowOf(from);
  if (across !== 0 && up !== 0) return [];
  const steps = Math.max(Math.abs(across), Math.abs(up));
  return Array.from({ length: Math.max(0, steps - 1) }, (_, index) =>
    squareName(columnOf(from) + Math.sign(across) * (index + 1), rowOf(from) + Math.sign(up) * (index + 1)),
  );
}
