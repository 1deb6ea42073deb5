/**
 * How a person picks one of the choices the server offers. Nothing here knows a rule: it only narrows a list.
 *
 *     a piece ─► a square                        a move or an attack
 *     a piece ─► a power ─► (where it stands) ─► a target
 *     an open question ─► a square, a kind, or "done"
 */
import type { Choice, PowerInfo } from "../api/types";
import { squaresBetween, isSquare } from "../board/geometry";
import type { Mark } from "../board/pieces";
import type { MatchStore } from "./match-store.svelte";

/** A power or another special deed of the piece that is selected, or of the whole army. */
interface SpecialAction {
  key: string;
  name: string;
  text: string;
  choices: Choice[];
}

/** Something on the list beside the board, with its number key. */
interface ListItem {
  key: string;
  words: string;
  square: string;
  choose: () => void;
}

const MOVES = new Set(["move", "attack"]);
const ANSWERS = new Set(["choose kind", "choose square", "done"]);
const NAMES: Record<string, string> = {
  spot: "Spot",
  rescue: "Rescue",
  "two-step": "Go two steps",
  leap: "Fly",
  teleport: "Vanish and appear",
  shoot: "Shoot",
  detect: "Look",
  convert: "Win over",
  swing: "Strike around",
  advance: "Advance together",
};

export class ActionPicker {
  selected = $state("");
  special = $state("");
  stand = $state("");
  /** the choice that waits for a second look */
  proposed = $state.raw<Choice | null>(null);

  constructor(
    private readonly match: MatchStore,
    private readonly powers: () => ReadonlyMap<string, PowerInfo>,
    private readonly mustConfirm: () => boolean,
  ) {}

  readonly choices = $derived.by(() => (this.match.isMyTurn ? (this.match.snapshot?.choices ?? []) : []));
  readonly hasPrompt = $derived.by(() => this.match.isMyTurn && !!this.match.snapshot?.view?.prompt);
  /** something is being chosen besides a plain move */
  readonly isChoosing = $derived.by(
    () => this.active !== undefined || this.hasPrompt || this.proposed !== null,
  );
  readonly kinds = $derived(this.choices.filter((choice) => choice.verb === "choose kind"));
  readonly squares = $derived(this.choices.filter((choice) => choice.verb === "choose square"));
  readonly done = $derived(this.choices.find((choice) => choice.verb === "done"));
  readonly movable = $derived(new Set(this.choices.map((choice) => choice.origin).filter(Boolean)));
  readonly moves = $derived(
    this.choices.filter((choice) => choice.origin === this.selected && MOVES.has(choice.verb)),
  );
  readonly specials = $derived.by(() => this.#specials());
  readonly active = $derived(this.specials.find((one) => one.key === this.special));
  readonly stands = $derived([...new Set((this.active?.choices ?? []).map(standOf))]);
  readonly needsStand = $derived(this.stands.length > 1 && !this.stand);
  readonly targets = $derived(
    (this.active?.choices ?? []).filter(
      (choice) => this.stands.length <= 1 || !this.stand || standOf(choice) === this.stand,
    ),
  );
  readonly items = $derived.by(() => this.#items());
  readonly marks = $derived.by(() => this.#marks());

  #specials(): SpecialAction[] {
    const found = new Map<string, SpecialAction>();
    for (const choice of this.choices) {
      if (MOVES.has(choice.verb) || ANSWERS.has(choice.verb)) continue;
      if (choice.origin && choice.origin !== this.selected) continue;
      const key = `${choice.verb} ${choice.power}`;
      const power = this.powers().get(choice.power);
      const special = found.get(key) ?? {
        key,
        name: power?.name ?? NAMES[choice.verb] ?? choice.verb,
        text: power?.text ?? "",
        choices: [],
      };
      special.choices.push(choice);
      found.set(key, special);
    }
    return [...found.values()];
  }

  #items(): ListItem[] {
    if (this.active && this.needsStand)
      return this.stands.map((square) => ({
        key: square,
        words: square === this.selected ? `Stay on ${square}` : `First go to ${square}`,
        square,
        choose: () => (this.stand = square),
      }));
    const listed = this.active ? this.targets : this.hasPrompt ? this.#asked() : [];
    return listed.map((choice) => ({
      key: String(choice.action),
      words: choice.words,
      square: isSquare(choice.target) ? choice.target : "",
      choose: () => this.play(choice),
    }));
  }

  /** What an open question can be answered with, "done" last; kinds have a pad of their own. */
  #asked(): Choice[] {
    const answers = this.choices.filter((choice) => choice.verb !== "choose kind" && choice.verb !== "done");
    return this.done ? [...answers, this.done] : answers;
  }

  #marks(): Record<string, Mark> {
    const marks: Record<string, Mark> = {};
    const put = (square: string, mark: Mark): void => {
      if (isSquare(square)) marks[square] = { ...marks[square], ...mark };
    };
    if (this.selected) put(this.selected, { selected: true });
    if (this.active || this.squares.length > 0) {
      this.items.forEach((item, at) => put(item.square, { double: true, number: at + 1 }));
      if (this.stand) put(this.stand, { origin: true });
      return marks;
    }
    for (const choice of this.moves) {
      put(choice.target, choice.is_attack ? { ring: true } : { dot: true });
      for (const square of squaresBetween(choice.origin, choice.target)) put(square, { lane: true });
    }
    return marks;
  }

  /** A square was clicked, or Enter was pressed on it. Says whether the referee should explain it. */
  pick(square: string): "done" | "ask-referee" | "nothing" {
    this.proposed = null;
    const item = this.active || this.hasPrompt ? this.items.find((one) => one.square === square) : undefined;
    if (item) {
      item.choose();
      return "done";
    }
    if (this.active) {
      this.back();
      return "nothing";
    }
    const plain = this.moves.find((choice) => choice.target === square);
    if (plain) {
      this.play(plain);
      return "done";
    }
    if (this.movable.has(square)) {
      this.select(square === this.selected && !this.hasPrompt ? "" : square);
      return "done";
    }
    if (this.selected && square !== this.selected) return "ask-referee";
    this.select("");
    return "nothing";
  }

  select(square: string): void {
    this.selected = square;
    this.special = "";
    this.stand = "";
    this.proposed = null;
  }

  begin(key: string): void {
    this.special = key;
    this.stand = "";
    this.proposed = null;
  }

  /** One step back: the proposal, the stand, the power, the piece. Says whether there was anything. */
  back(): boolean {
    if (this.proposed) this.proposed = null;
    else if (this.stand) this.stand = "";
    else if (this.special) this.special = "";
    else if (this.selected && !this.hasPrompt) this.selected = "";
    else return false;
    return true;
  }

  /** Number key: the item with that number. */
  chooseNumber(which: number): boolean {
    const item = this.items[which - 1];
    item?.choose();
    return item !== undefined;
  }

  /** Play a choice, or propose it first where the person wants to be asked. */
  play(choice: Choice): void {
    if (this.mustConfirm() && this.proposed !== choice) {
      this.proposed = choice;
      return;
    }
    this.clear();
    void this.match.playChoice(choice);
  }

  clear(): void {
    this.select("");
  }

  /** After a new MatchSnapshot: where only one piece can go on, it is selected; what is gone is let go. */
  refresh(): void {
    if (this.proposed && !this.choices.some(({ action }) => action === this.proposed?.action))
      this.proposed = null;
    if (!this.hasPrompt) {
      if (this.selected && !this.movable.has(this.selected)) this.clear();
      return;
    }
    const [only, ...others] = this.movable;
    if (only && others.length === 0) {
      if (this.selected !== only) this.select(only);
    } else if (!only) this.clear();
  }
}

const standOf = (choice: Choice): string => choice.stands || choice.origin;
