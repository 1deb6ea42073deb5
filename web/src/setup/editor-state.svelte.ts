/** What a player does with a setup: choose, swap, place, take back, ask the server. Every step is told in words. */
import type { GameInfo, SetupRequest, Side } from "../api/types";
import { PieceSet } from "../board/pieces";
import { SetupAdvice, sentenceOf } from "./advice.svelte";
import { SetupDraft } from "./draft.svelte";

type Picked = { cell: string } | { kind: string } | null;

export class EditorState {
  readonly draft: SetupDraft;
  readonly advice: SetupAdvice;
  readonly pieceSet: PieceSet;
  readonly home: ReadonlySet<string>;
  /** a setup is on the board, whole or in parts */
  isLoaded = $state(false);
  isBusy = $state(false);
  /** nothing can be changed while it is handed in */
  isEditable = $state(true);
  /** the style that stands on the board as it came */
  style = $state("");
  /** the last refusal */
  error = $state("");
  /** the last deed, for those who listen */
  announcement = $state("");
  #picked = $state.raw<Picked>(null);

  constructor(
    readonly game: GameInfo,
    readonly side: Side,
  ) {
    this.draft = new SetupDraft(game, side);
    this.advice = new SetupAdvice(game.id, side);
    this.pieceSet = new PieceSet(game);
    this.home = new Set(this.draft.home.flat());
  }

  get pickedCell(): string {
    return this.#picked && "cell" in this.#picked ? this.#picked.cell : "";
  }

  get pickedKind(): string {
    return this.#picked && "kind" in this.#picked ? this.#picked.kind : "";
  }

  get isReady(): boolean {
    return this.isEditable && this.isLoaded && this.draft.isComplete && !this.isBusy;
  }

  /** A home square without a piece, front row first. */
  get firstFreeSquare(): string {
    const squares = this.draft.home.toReversed().flat();
    return squares.find((cell) => !this.draft.squares[cell]) ?? squares[0] ?? "";
  }

  /** Something that may be refused; then the sentence is kept. One at a time. */
  async attempt(action: () => Promise<void>): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    this.error = "";
    try {
      await action();
    } catch (error) {
      this.error = sentenceOf(error);
    } finally {
      this.isBusy = false;
    }
  }

  /** The first setup on the board: the box's first style. */
  begin(): Promise<void> {
    return this.attempt(async () => {
      const style = this.game.styles[0]?.name ?? "";
      const answer = await this.advice.load(style ? { style } : { shuffle: true });
      this.draft.begin(answer.squares);
      this.isLoaded = true;
      this.style = style;
    });
  }

  /** Another setup from the server; throws its refusal and leaves everything as it was. */
  async load(request: Omit<SetupRequest, "side">, words: string): Promise<void> {
    const answer = await this.advice.load(request);
    this.draft.replace(answer.squares);
    this.isLoaded = true;
    this.#picked = null;
    this.style = request.style ?? "";
    this.announcement = words;
  }

  /** The code of the setup on the board; empty while pieces are missing. */
  async code(): Promise<string> {
    return this.draft.isComplete ? this.advice.codeFor(this.draft.squares) : "";
  }

  mirror(): void {
    this.draft.mirror();
    this.#finish("Left and right have changed places.");
  }

  clear(): void {
    this.draft.clear();
    this.#finish("All pieces lie in the tray. Choose one, then a square.");
    this.#pickNext();
  }

  undo(): void {
    if (!this.draft.canUndo) return;
    this.draft.undo();
    this.#finish("One step back.");
  }

  redo(): void {
    if (!this.draft.canRedo) return;
    this.draft.redo();
    this.#finish("One step forward.");
  }

  /** A square was pressed: choose its piece, or bring there what was chosen. */
  selectSquare(cell: string): void {
    if (!this.isEditable || !this.isLoaded) return;
    if (!this.home.has(cell)) {
      if (this.pickedCell) this.deselect();
    } else if (this.pickedKind) this.place(this.pickedKind, cell);
    else if (this.pickedCell === cell) this.deselect();
    else if (this.pickedCell) this.swap(this.pickedCell, cell);
    else {
      const kind = this.draft.squares[cell];
      if (!kind) return;
      this.#picked = { cell };
      this.announcement = `${this.#name(kind)} on ${cell} chosen.`;
    }
  }

  /** A kind in the tray was pressed; says whether it is chosen now. */
  selectKind(kind: string): boolean {
    this.#picked = this.pickedKind === kind ? null : { kind };
    return this.#picked !== null;
  }

  deselect(): void {
    if (!this.#picked) return;
    this.#picked = null;
    this.announcement = "Nothing is chosen.";
  }

  swap(from: string, to: string): void {
    const [one, other] = [this.draft.squares[from], this.draft.squares[to]];
    if (!this.isEditable || !this.draft.swap(from, to)) return;
    this.#finish(
      one && other
        ? `${this.#name(one)} and ${this.#name(other)} have changed places.`
        : `${this.#name(one ?? other ?? "")} stands on ${one ? to : from}.`,
    );
  }

  place(kind: string, cell: string): boolean {
    if (!this.isEditable || !this.draft.place(kind, cell)) return false;
    const left = this.draft.unplaced;
    this.#finish(
      `${this.#name(kind)} placed on ${cell}. ${left ? `${left} to place.` : "All pieces stand."}`,
    );
    this.#pickNext(kind);
    return true;
  }

  remove(cell: string): void {
    const kind = this.draft.squares[cell];
    if (!this.isEditable || !kind) return;
    this.draft.remove(cell);
    this.#finish(`${this.#name(kind)} taken from ${cell}.`);
  }

  /** Somebody typed the number or letter of a piece: if one lies in the tray, it goes to the square. */
  placeByLabel(label: string, cell: string): boolean {
    const entry = this.draft.tray.find(({ kind }) => {
      const info = this.pieceSet.kinds.get(kind);
      return info?.label.toLowerCase() === label.toLowerCase() || info?.code === label;
    });
    return entry !== undefined && this.place(entry.kind, cell);
  }

  /** A square in words. */
  describe(cell: string): string {
    const kind = this.draft.squares[cell];
    if (kind) return `${cell}, ${this.pieceSet.title(kind, this.side)}`;
    const { zones, zone_word } = this.game.board;
    if (zones.includes(cell)) return `${cell}, ${zone_word}`;
    return `${cell}, ${this.home.has(cell) ? "free" : "outside your home"}`;
  }

  #finish(words: string): void {
    this.#picked = null;
    this.style = "";
    this.error = "";
    this.announcement = words;
  }

  #pickNext(after = ""): void {
    const next = this.draft.tray.find((entry) => entry.kind === after) ?? this.draft.tray[0];
    this.#picked = next ? { kind: next.kind } : null;
  }

  #name(kind: string): string {
    return this.pieceSet.name(kind, this.side);
  }
}
