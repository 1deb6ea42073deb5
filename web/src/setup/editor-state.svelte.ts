/** State and operations of the setup editor. Every operation is announced for screen readers. */
import { errorMessage } from "../api/http";
import type { GameInfo, SetupRequest, Side } from "../api/types";
import { PieceSet } from "../board/pieces";
import { t } from "../languages";
import { SetupAdvice } from "./advice.svelte";
import { SetupDraft, type Squares } from "./draft.svelte";
import { storeDraft, storedDraft } from "./stored-draft";

type Selection = { cell: string } | { kind: string } | null;

export class EditorState {
  readonly draft: SetupDraft;
  readonly advice: SetupAdvice;
  readonly pieceSet: PieceSet;
  readonly home: ReadonlySet<string>;
  /** a setup has been loaded; pieces may be missing since */
  isLoaded = $state(false);
  isBusy = $state(false);
  /** false while the setup is submitted */
  isEditable = $state(true);
  /** the style on the board, if it is unchanged */
  style = $state("");
  /** the last error message */
  error = $state("");
  /** the last operation in words, for screen readers */
  announcement = $state("");
  #selection = $state.raw<Selection>(null);

  constructor(
    readonly game: GameInfo,
    readonly side: Side,
    readonly match = "",
  ) {
    this.draft = new SetupDraft(game, side);
    this.advice = new SetupAdvice(game.id, side);
    this.pieceSet = new PieceSet(game);
    this.home = new Set(this.draft.home.flat());
  }

  get selectedCell(): string {
    return this.#selection && "cell" in this.#selection ? this.#selection.cell : "";
  }

  get selectedKind(): string {
    return this.#selection && "kind" in this.#selection ? this.#selection.kind : "";
  }

  get isReady(): boolean {
    return this.isEditable && this.isLoaded && this.draft.isComplete && !this.isBusy;
  }

  /** The first home square without a piece, front row first. */
  get firstFreeSquare(): string {
    const squares = this.draft.home.toReversed().flat();
    return squares.find((cell) => !this.draft.squares[cell]) ?? squares[0] ?? "";
  }

  /** Run an action that may fail, one at a time; `error` keeps its message. */
  async attempt(action: () => Promise<void>): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    this.error = "";
    try {
      await action();
    } catch (error) {
      this.error = errorMessage(error);
    } finally {
      this.isBusy = false;
    }
  }

  /** Keep the setup on the board for a reload of the page. */
  store(): void {
    if (this.match && this.isLoaded)
      storeDraft(this.match, this.side, { squares: this.draft.squares, style: this.style });
  }

  /** Load the setup from before a reload, or the one that is given, or the first style of the box. */
  begin(ready?: Squares): Promise<void> {
    return this.attempt(async () => {
      const stored = this.match ? storedDraft(this.match, this.side) : null;
      if (stored && this.draft.fits(stored.squares)) {
        this.draft.begin(stored.squares);
        this.isLoaded = true;
        this.style = stored.style;
        return;
      }
      if (ready && this.draft.fits(ready)) {
        this.draft.begin(ready);
        this.isLoaded = true;
        return;
      }
      const style = this.game.styles[0]?.name ?? "";
      const answer = await this.advice.load(style ? { style } : { shuffle: true });
      this.draft.begin(answer.squares);
      this.isLoaded = true;
      this.style = style;
    });
  }

  /** Replace the setup by another one from the server; throws the server's error. */
  async load(request: Omit<SetupRequest, "side">, announcement: string): Promise<void> {
    const answer = await this.advice.load(request);
    this.draft.replace(answer.squares);
    this.isLoaded = true;
    this.#selection = null;
    this.style = request.style ?? "";
    this.announcement = announcement;
  }

  /** The code of the setup on the board; empty while pieces are missing. */
  async code(): Promise<string> {
    return this.draft.isComplete ? this.advice.codeFor(this.draft.squares) : "";
  }

  mirror(): void {
    this.draft.mirror();
    this.#finish(t("setup.said.mirrored"));
  }

  clear(): void {
    this.draft.clear();
    this.#finish(t("setup.said.cleared"));
    this.#selectNext();
  }

  undo(): void {
    if (!this.draft.canUndo) return;
    this.draft.undo();
    this.#finish(t("setup.said.undone"));
  }

  redo(): void {
    if (!this.draft.canRedo) return;
    this.draft.redo();
    this.#finish(t("setup.said.redone"));
  }

  /** Select the piece on a square, or move the selected piece there. */
  selectSquare(cell: string): void {
    if (!this.isEditable || !this.isLoaded) return;
    if (!this.home.has(cell)) {
      if (this.selectedCell) this.deselect();
    } else if (this.selectedKind) this.place(this.selectedKind, cell);
    else if (this.selectedCell === cell) this.deselect();
    else if (this.selectedCell) this.swap(this.selectedCell, cell);
    else {
      const kind = this.draft.squares[cell];
      if (!kind) return;
      this.#selection = { cell };
      this.announcement = t("setup.said.selected", { piece: this.#name(kind), square: cell });
    }
  }

  /** Select or deselect a kind in the tray; return whether it is selected now. */
  selectKind(kind: string): boolean {
    this.#selection = this.selectedKind === kind ? null : { kind };
    return this.#selection !== null;
  }

  deselect(): void {
    if (!this.#selection) return;
    this.#selection = null;
    this.announcement = t("setup.said.deselected");
  }

  swap(from: string, to: string): void {
    const [one, other] = [this.draft.squares[from], this.draft.squares[to]];
    if (!this.isEditable || !this.draft.swap(from, to)) return;
    this.#finish(
      one && other
        ? t("setup.said.swapped", { piece: this.#name(one), other: this.#name(other) })
        : t("setup.said.moved", { piece: this.#name(one ?? other ?? ""), square: one ? to : from }),
    );
  }

  place(kind: string, cell: string): boolean {
    if (!this.isEditable || !this.draft.place(kind, cell)) return false;
    const number = this.draft.unplaced;
    const piece = this.#name(kind);
    this.#finish(
      number
        ? t("setup.said.placed", { piece, square: cell, number })
        : t("setup.said.placed-last", { piece, square: cell }),
    );
    this.#selectNext(kind);
    return true;
  }

  remove(cell: string): void {
    const kind = this.draft.squares[cell];
    if (!this.isEditable || !kind) return;
    this.draft.remove(cell);
    this.#finish(t("setup.said.removed", { piece: this.#name(kind), square: cell }));
  }

  /** Place a piece by its number or letter; return whether there is one left. */
  placeByLabel(label: string, cell: string): boolean {
    const entry = this.draft.tray.find(({ kind }) => {
      const info = this.pieceSet.kinds.get(kind);
      return info?.label.toLowerCase() === label.toLowerCase() || info?.code === label;
    });
    return entry !== undefined && this.place(entry.kind, cell);
  }

  /** Describe a square for screen readers. */
  describe(cell: string): string {
    const kind = this.draft.squares[cell];
    if (kind) return `${cell}, ${this.pieceSet.title(kind, this.side)}`;
    const { zones, zone_word } = this.game.board;
    if (zones.includes(cell)) return `${cell}, ${zone_word}`;
    return `${cell}, ${this.home.has(cell) ? t("board.empty") : t("setup.said.outside")}`;
  }

  #finish(announcement: string): void {
    this.#selection = null;
    this.style = "";
    this.error = "";
    this.announcement = announcement;
  }

  #selectNext(after = ""): void {
    const next = this.draft.tray.find((entry) => entry.kind === after) ?? this.draft.tray[0];
    this.#selection = next ? { kind: next.kind } : null;
  }

  #name(kind: string): string {
    return this.pieceSet.name(kind, this.side);
  }
}
