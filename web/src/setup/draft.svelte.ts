/**
 * A setup that is being made: what stands where, what still lies in the tray, and every step back.
 *
 * It knows the home squares and how many pieces of each kind there are, as the server told; whether a setup
 * is allowed is for the server to say.
 */
import type { GameInfo, Side } from "../api/types";

export type Squares = Readonly<Record<string, string>>;

/** Pieces of one kind that lie in the tray. */
export interface KindCount {
  kind: string;
  count: number;
}

export class SetupDraft {
  squares = $state.raw<Squares>({});
  /** home squares, own back row first */
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

  /** What has not been placed yet, in the box's order. */
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

  /** Begin with a setup; there is nothing to go back to. */
  begin(squares: Squares): void {
    this.squares = squares;
    this.#past = [];
    this.#future = [];
  }

  /** Another setup instead of this one. */
  replace(squares: Squares): void {
    const isSame =
      Object.keys(squares).length === Object.keys(this.squares).length &&
      Object.entries(squares).every(([cell, kind]) => this.squares[cell] === kind);
    if (isSame) return;
    this.#past = [...this.#past, this.squares];
    this.#future = [];
    this.squares = squares;
  }

  /** Exchange what stands on two home squares; one of them may be free. */
  swap(one: string, other: string): boolean {
    if (one === other || !this.isHome(one) || !this.isHome(other)) return false;
    const { [one]: first, [other]: second, ...rest } = this.squares;
    if (!first && !second) return false;
    this.replace({ ...rest, ...(second ? { [one]: second } : {}), ...(first ? { [other]: first } : {}) });
    return true;
  }

  /** Put a piece from the tray on a home square; what stood there goes to the tray. */
  place(kind: string, cell: string): boolean {
    if (!this.isHome(cell) || !this.tray.some((entry) => entry.kind === kind)) return false;
    this.replace({ ...this.squares, [cell]: kind });
    return true;
  }

  /** Back to the tray. */
  remove(cell: string): boolean {
    const { [cell]: kind, ...rest } = this.squares;
    if (!kind) return false;
    this.replace(rest);
    return true;
  }

  clear(): void {
    this.replace({});
  }

  /** Left and right exchanged. */
  mirror(): void {
    const turned: Record<string, string> = {};
    for (const row of this.home)
      row.forEach((cell, at) => {
        const kind = this.squares[row[row.length - 1 - at] ?? ""];
        if (kind) turned[cell] = kind;
      });
    this.replace(turned);
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
