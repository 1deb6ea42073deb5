/**
 * One match as one viewer sees it now: the newest State, what has happened, and the line to the server.
 *
 * A hot-seat table looks through one seat's eyes at a time. Behind the curtain it looks as a watcher, and
 * what the seat saw is dropped.
 */
import { Refusal, api } from "../api/http";
import { Line, type Connection } from "../api/connection";
import type { Choice, Command, News, Side, State, Viewer } from "../api/types";

export class Table {
  state = $state.raw<State | null>(null);
  connection = $state<Connection>("connecting");
  /** the referee's or the server's last sentence of refusal */
  sentence = $state("");
  /** everything this viewer saw happen, oldest first */
  story = $state.raw<News[]>([]);
  /** the story is complete from this number on; what came before can be fetched */
  earliest = $state(0);
  /** stories before this number were seen in the viewer's last own turn */
  fresh = $state(0);
  isBusy = $state(false);
  /** when the State came, on our own clock */
  cameAt = $state(0);
  /** the server refuses this match to us */
  closedBy = $state<Refusal | null>(null);
  #line: Line;

  constructor(
    readonly match: string,
    eyes: Viewer | "",
    readonly isHotSeat = false,
  ) {
    this.#line = new Line(match, eyes, {
      state: (state) => this.#hear(state),
      connection: (connection) => (this.connection = connection),
      refused: (refusal) => {
        this.sentence = refusal.message;
        if (this.connection === "closed") this.closedBy = refusal;
      },
    });
  }

  /** The seat whose eyes these are, if it is one. */
  get seat(): Side | null {
    const viewer = this.state?.viewer;
    return (viewer === "south" || viewer === "north") && this.state?.yours.includes(viewer) ? viewer : null;
  }

  get isOurTurn(): boolean {
    return this.seat !== null && this.state?.phase === "playing" && this.state.to_move === this.seat;
  }

  can(deed: State["can"][number]): boolean {
    return this.state?.can.includes(deed) ?? false;
  }

  /** Play one of the choices the server offered. */
  async act(choice: Choice): Promise<boolean> {
    return this.#play({ action: choice.action });
  }

  /** Play what somebody has written; a refusal is the referee's explanation. */
  async write(text: string): Promise<boolean> {
    return this.#play({ text });
  }

  async #play(what: { action: number } | { text: string }): Promise<boolean> {
    const state = this.state;
    if (!state || this.isBusy) return false;
    const before = this.fresh;
    this.fresh = state.number;
    const isDone = await this.do({ do: "act", number: state.number, ...what });
    if (!isDone) this.fresh = before;
    return isDone;
  }

  /** Any command at the table; says whether it was done. The sentence of a refusal is kept. */
  async do(command: Command): Promise<boolean> {
    if (this.isBusy) return false;
    this.isBusy = true;
    this.sentence = "";
    try {
      await this.#line.send({ ...command, ...(this.seat ? { seat: this.seat } : {}) });
      return true;
    } catch (error) {
      this.sentence = error instanceof Refusal ? error.message : "Something went wrong; try again.";
      return false;
    } finally {
      this.isBusy = false;
    }
  }

  /** Fetch a page of what happened before the story begins. */
  async fetchEarlier(): Promise<void> {
    const viewer = this.state?.viewer;
    if (!viewer || !this.earliest) return;
    try {
      const page = await api.news(this.match, viewer, this.earliest);
      if (this.state?.viewer !== viewer || page.since >= this.earliest) return;
      this.story = [...page.news, ...this.story];
      this.earliest = page.since;
    } catch (error) {
      this.sentence = error instanceof Refusal ? error.message : "Something went wrong; try again.";
    }
  }

  /** Look through other eyes; what the last ones saw is dropped first. */
  look(eyes: Viewer): void {
    this.state = null;
    this.story = [];
    this.sentence = "";
    this.#line.look(eyes, 0);
  }

  close(): void {
    this.#line.close();
    this.state = null;
    this.story = [];
  }

  #hear(state: State): void {
    const last = this.state;
    const isSame = last?.viewer === state.viewer && last.match === state.match;
    if (isSame && state.number < last.number) return;
    const known = isSame && state.since <= last.number ? this.story.at(-1)?.number : undefined;
    const news = known === undefined ? state.news : state.news.filter((one) => one.number > known);
    this.story = known === undefined ? state.news : [...this.story, ...news];
    if (known === undefined) this.earliest = state.since;
    this.state = state;
    this.cameAt = performance.now();
  }
}
