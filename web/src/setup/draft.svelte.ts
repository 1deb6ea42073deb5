/**
 * A setup that is being edited, with undo and redo.
 *
 * It knows the home squares and the number of pieces of each kind; whether a setup is legal is decided by
 * the server.
 */
import type { GameInfo, Side } from "../api/types";

export type Squares = Readonly<Record<string, string>>;

/** How many pieces of a kind are in the tray. */
export interface KindCount {
  kind: string;
  count: number;
}

export class SetupDraft {
  squares = $state.raw<Squares>({});
  /** home squares by row, back row first */
  readonly home: readonly (readonly string[])[];
  readonly #army: readonly KindCount[];
  #past = $state.raw<readonly Squares[]>([]);
  #future = $state.raw<readonly Squares[]>([]);

  constructor(game: GameInfo, side: Side) {
    this.home = game.board.home[side];
    this.#army = game.kinds
      .map((kind) => ({ kind: kind.id, count: kind[side].count }))
      .filter((entry) => entry.count > 0);
  }

  /** The pieces that are not placed yet, in the order of the box. */
  get tray(): KindCount[] {
    const placed = new Map<string, number>();
    for (const kind of Object.values(this.squares)) placed.set(kind, (placed.get(kind) ?? 0) + 1);
    return this.#army
      .map(({ kind, count }) => ({ kind, count: count - (placed.get(kind) ?? 0) }))
      .filter((entry) => entry.count > 0);
  }

  get unplaced(): number {
    return this.tray.reduce((sum, entry) => sum + entry.count, 0);
  }

  get isComplete(): boolean {
    return this.unplaced === 0;
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  isHome(cell: string): boolean {
    return this.home.some((row) => row.includes(cell));
  }

  /** Start with a setup and an empty undo history. */
  begin(squares: Squares): void {
    this.squares = squares;
    this.#past = [];
    this.#future = [];
  }

  /** Return whether these are home squares with pieces of this army, none too many. */
  fits(squares: Squares): boolean {
    const left = new Map(this.#army.map(({ kind, count }) => [kind, count]));
    return Object.entries(squares).every(([cell, kind]) => {
      const count = left.get(kind) ?? 0;
      left.set(kind, count - 1);
      return count > 0 && this.isHome(cell);
    });
  }

  /** Replace the setup, as one step of the undo history. */
  replace(squares: Squares): void {
    const isSame =
      Object.keys(squares).length === Object.keys(this.squares).length &&
      Object.entries(squares).every(([cell, kind]) => this.squares[cell] === kind);
    if (isSame) return;
    this.#past = [...this.#past, this.squares];
    this.#future = [];
    this.squares = squares;
  }

  /** Swap two home squares, one of which may be empty; return whether anything changed. */
  swap(one: string, other: string): boolean {
    if (one === other || !this.isHome(one) || !this.isHome(other)) return false;
    const { [one]: first, [other]: second, ...rest } = this.squares;
    if (!first && !second) return false;
    this.replace({ ...rest, ...(second ? { [one]: second } : {}), ...(first ? { [other]: first } : {}) });
    return true;
  }

  /** Place a piece from the tray; a piece that was there goes back to the tray. */
  place(kind: string, cell: string): boolean {
    if (!this.isHome(cell) || !this.tray.some((entry) => entry.kind === kind)) return false;
    this.replace({ ...this.squares, [cell]: kind });
    return true;
  }

  /** Move a piece back to the tray. */
  remove(cell: string): boolean {
    const { [cell]: kind, ...rest } = this.squares;
    if (!kind) return false;
    this.replace(rest);
    return true;
  }

  clear(): void {
    this.replace({});
  }

  /** Swap left and right. */
  mirror(): void {
    const mirrored: Record<string, string> = {};
    for (const row of this.home)
      row.forEach((cell, index) => {
        const kind = this.squares[row[row.length - 1 - index] ?? ""];
        if (kind) mirrored[cell] = kind;
      });
    this.replace(mirrored);
  }

  undo(): void {
    const before = this.#past.at(-1);
    if (!before) return;
    this.#past = this.#past.slice(0, -1);
    this.#future = [...this.#future, this.squares];
    this.squares = before;
  }

  redo(): void {
    const after = this.#future.at(-1);
    if (!after) return;
    this.#future = this.#future.slice(0, -1);
    this.#past = [...this.#past, this.squares];
    this.squares = after;
  }
}
