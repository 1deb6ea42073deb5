/**
 * Picks one of the choices that the server offers. It knows no rules: it only narrows the list.
 *
 *     a piece ─► a square                        a move or an attack
 *     a piece ─► a special action ─► (the square it acts from) ─► a target
 *     a prompt ─► a square, a kind, or "done"
 */
import type { Choice, PowerInfo } from "../api/types";
import { isSquare, squaresBetween } from "../board/geometry";
import type { Drawing, Mark } from "../board/marks";
import { t } from "../languages";
import type { MatchStore } from "./match-store.svelte";
import { directionOf, drawChoices, type Direction } from "./preview";
import { verbName, VERBS } from "./verbs";

/** at most so many possibilities are drawn at the same time */
const MAX_FAINT = 8;

/** A power or another special action of the selected piece, or of the whole army. */
interface SpecialAction {
  key: string;
  name: string;
  text: string;
  choices: Choice[];
}

/** An entry of the list next to the board; the first nine have number keys. */
export interface ListItem {
  key: string;
  words: string;
  square: string;
  /** the direction on the screen, where the choice is a direction */
  direction: Direction | undefined;
  /** what it leads to */
  choices: readonly Choice[];
  choose: () => void;
}

/** What the picker needs of a match or a lesson. */
type Playable = Pick<MatchStore, "snapshot" | "isMyTurn" | "playChoice">;

export class ActionPicker {
  selected = $state("");
  special = $state("");
  /** the square that the special action starts from, once it is chosen */
  stand = $state("");
  /** the choice that the player still has to confirm */
  proposed = $state.raw<Choice | null>(null);
  /** the power whose whole text is shown */
  reading = $state("");
  /** the square or the key of the list item that the pointer or the keyboard focus is on */
  pointed = $state("");
  /** the player touches the screen: a power is shown before it is played, as nothing can be pointed at */
  isTouch = false;

  constructor(
    private readonly match: Playable,
    private readonly powers: () => ReadonlyMap<string, PowerInfo>,
    private readonly mustConfirm: () => boolean,
  ) {}

  readonly choices = $derived.by(() => (this.match.isMyTurn ? (this.match.snapshot?.choices ?? []) : []));
  readonly hasPrompt = $derived.by(() => this.match.isMyTurn && !!this.match.snapshot?.view?.prompt);
  /** the player is choosing something other than a plain move, or reads about it */
  readonly isChoosing = $derived.by(
    () => this.active !== undefined || this.hasPrompt || this.proposed !== null || this.reading !== "",
  );
  /** what to do next, in words, if there is no prompt */
  readonly hint = $derived.by(() => {
    const { snapshot } = this.match;
    if (this.hasPrompt || this.active || snapshot?.phase !== "playing") return "";
    if (!this.choices.length) return snapshot.prompt_words;
    if (!this.selected) return `${snapshot.prompt_words} ${t("play.choose.piece")}`;
    return this.moves.length ? t("play.choose.square") : "";
  });
  readonly kinds = $derived(this.choices.filter((choice) => choice.verb === "choose kind"));
  readonly squares = $derived(this.choices.filter((choice) => choice.verb === "choose square"));
  readonly done = $derived(this.choices.find((choice) => choice.verb === "done"));
  readonly movable = $derived(new Set(this.choices.map((choice) => choice.origin).filter(Boolean)));
  readonly moves = $derived(
    this.choices.filter((choice) => choice.origin === this.selected && VERBS[choice.verb].input === "move"),
  );
  readonly specials = $derived.by(() => this.#specials());
  readonly active = $derived(this.specials.find((special) => special.key === this.special));
  readonly stands = $derived([...new Set((this.active?.choices ?? []).map(standOf))]);
  readonly needsStand = $derived(this.stands.length > 1 && !this.stand);
  readonly targets = $derived(
    (this.active?.choices ?? []).filter(
      (choice) => this.stands.length <= 1 || !this.stand || standOf(choice) === this.stand,
    ),
  );
  readonly items = $derived.by(() => this.#items());
  readonly marks = $derived.by(() => this.#marks());
  /** what the choice that is pointed at or proposed would do */
  readonly drawing = $derived.by(() => this.#drawing());

  #specials(): SpecialAction[] {
    const found = new Map<string, SpecialAction>();
    for (const choice of this.choices) {
      if (VERBS[choice.verb].input !== "special") continue;
      if (choice.origin && choice.origin !== this.selected) continue;
      const key = `${choice.verb} ${choice.power}`;
      const power = this.powers().get(choice.power);
      const special = found.get(key) ?? {
        key,
        name: power?.name ?? verbName(choice.verb),
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
        words: t(square === this.selected ? "play.choose.stay" : "play.choose.move-first", { square }),
        square,
        direction: undefined,
        choices: this.targets.filter((choice) => standOf(choice) === square),
        choose: () => (this.stand = square),
      }));
    const listed = this.active ? this.targets : this.hasPrompt ? this.#answers() : [];
    return listed.map((choice) => ({
      key: String(choice.action),
      words: choice.words,
      square: isSquare(choice.target) ? choice.target : "",
      direction: directionOf(choice, this.match.snapshot?.viewer === "north"),
      choices: [choice],
      choose: () => this.play(choice),
    }));
  }

  #drawing(): Drawing | null {
    if (this.proposed) return drawChoices([this.proposed]);
    const items = this.active || this.hasPrompt ? this.items : [];
    const pointed = items.find(({ key, square }) => this.pointed && [key, square].includes(this.pointed));
    if (pointed) return drawChoices(pointed.choices);
    const move = this.moves.find(({ target, preview }) => preview && target === this.pointed);
    if (!this.active && move) return drawChoices([move]);
    if (this.done?.preview) return drawChoices([this.done]);
    if (this.active && this.targets.length === 1) return drawChoices(this.targets);
    const isLight = items.length <= MAX_FAINT && items.every(({ direction }) => !direction);
    return isLight && items.length > 0
      ? drawChoices(
          items.flatMap(({ choices }) => choices),
          true,
          this.needsStand, // a finger cannot point at a square to see what it leads to
        )
      : null;
  }

  /** The answers to the prompt, "done" last, without kinds, which have their own picker. */
  #answers(): Choice[] {
    const answers = this.choices.filter((choice) => choice.verb !== "choose kind" && choice.verb !== "done");
    return this.done ? [...answers, this.done] : answers;
  }

  #marks(): Record<string, Mark> {
    const marks: Record<string, Mark> = {};
    const put = (square: string, mark: Mark): void => {
      if (isSquare(square)) marks[square] = { ...marks[square], ...mark };
    };
    if (this.selected) put(this.selected, { selected: true });
    for (const { square } of this.drawing?.hits ?? []) put(square, { hit: true });
    if (this.items.some(({ direction }) => direction))
      for (const way of this.targets.flatMap(({ preview }) => preview?.ways ?? []))
        put(way.squares[0] ?? "", { movable: true });
    if (this.active || this.squares.length > 0) {
      this.items.forEach(({ square }, index) =>
        put(square, { double: !marks[square]?.hit, number: index + 1 }),
      );
      if (this.stand) put(this.stand, { origin: true });
      return marks;
    }
    const occupied = new Set(this.match.snapshot?.view?.pieces.map((piece) => piece.cell));
    for (const choice of this.moves) {
      if (!choice.is_attack && occupied.has(choice.target)) {
        put(choice.target, { double: true }); // two pieces are exchanged, in a lesson about setups
        continue;
      }
      put(choice.target, choice.is_attack ? { ring: true } : { dot: true });
      for (const square of squaresBetween(choice.origin, choice.target)) put(square, { lane: true });
    }
    return marks;
  }

  /** Handle a click or Enter on a square and return what came of it. */
  pick(square: string): "done" | "illegal" | "stuck" | "nothing" {
    const { proposed } = this;
    if (proposed && proposed.target === square) {
      if (!proposed.preview?.question) this.play(proposed);
      return "done";
    }
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
    if (this.selected && square !== this.selected) return "illegal";
    this.select("");
    return this.#isStuck(square) ? "stuck" : "nothing";
  }

  /** Return whether the player's own piece on a square has no choice. */
  #isStuck(square: string): boolean {
    const { view, viewer } = this.match.snapshot ?? {};
    const isOwn = view?.pieces.some((piece) => piece.cell === square && piece.side === viewer) ?? false;
    return isOwn && this.choices.length > 0 && !this.hasPrompt;
  }

  select(square: string): void {
    this.selected = square;
    this.special = "";
    this.stand = "";
    this.proposed = null;
    this.pointed = "";
    this.reading = "";
  }

  begin(key: string): void {
    this.special = key;
    this.stand = "";
    this.proposed = null;
    this.pointed = "";
    this.reading = "";
  }

  /** Undo the last step of choosing; return whether there was one. */
  back(): boolean {
    if (this.proposed) this.proposed = null;
    else if (this.reading) this.reading = "";
    else if (this.stand) this.stand = "";
    else if (this.special) this.special = "";
    else if (this.selected && !this.hasPrompt) this.selected = "";
    else return false;
    return true;
  }

  /** Choose the item with this number key; return whether there is one. */
  chooseNumber(number: number): boolean {
    const item = this.proposed ? undefined : this.items[number - 1];
    item?.choose();
    return item !== undefined;
  }

  /** Show what the direction of this arrow key would do; return whether there is one. */
  chooseArrow(key: string): boolean {
    const [choice] = this.items.find(({ direction }) => direction?.key === key)?.choices ?? [];
    if (choice) this.proposed = choice;
    return choice !== undefined;
  }

  /** Play a choice, or propose it first if the player should look at it again. */
  play(choice: Choice): void {
    const isPower = VERBS[choice.verb].input === "special";
    const mustAsk = !!choice.preview?.question || this.mustConfirm() || (this.isTouch && isPower);
    if (mustAsk && this.proposed?.action !== choice.action) {
      this.proposed = choice;
      return;
    }
    this.clear();
    void this.match.playChoice(choice);
  }

  clear(): void {
    this.select("");
  }

  /** After a new snapshot: select the only piece that can continue, deselect what is gone. */
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
    } else if (!only && (this.selected || this.special)) this.clear();
  }
}

const standOf = (choice: Choice): string => choice.stands || choice.origin;
