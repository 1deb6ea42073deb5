/**
 * One match as one viewer sees it now: the newest MatchSnapshot, what has happened, and the line to the server.
 *
 * A hot-seat table looks through one seat's viewer at a time. Behind the curtain it looks as a watcher, and
 * what the seat saw is dropped.
 */
import { ApiError, api } from "../api/http";
import { Connection, type ConnectionState } from "../api/connection";
import type { Choice, Command, News, Side, MatchSnapshot, Viewer } from "../api/types";

export class MatchStore {
  snapshot = $state.raw<MatchSnapshot | null>(null);
  status = $state<ConnectionState>("connecting");
  /** the referee's or the server's last error of error */
  error = $state("");
  /** everything this viewer saw happen, oldest first */
  history = $state.raw<News[]>([]);
  /** the history is complete from this number on; what came before can be fetched */
  earliest = $state(0);
  /** stories before this number were seen in the viewer's last own turn */
  unseenFrom = $state(0);
  isBusy = $state(false);
  /** when the MatchSnapshot came, on our own clock */
  receivedAt = $state(0);
  /** the server refuses this match to us */
  fatalError = $state<ApiError | null>(null);
  #connection: Connection;

  constructor(
    readonly id: string,
    viewer: Viewer | "",
    readonly isHotSeat = false,
  ) {
    this.#connection = new Connection(id, viewer, {
      state: (state) => this.#receive(state),
      status: (status) => (this.status = status),
      error: (error) => {
        this.error = error.message;
        if (this.status === "closed") this.fatalError = error;
      },
    });
  }

  /** The seat whose viewer these are, if it is one. */
  get seat(): Side | null {
    const viewer = this.snapshot?.viewer;
    return (viewer === "south" || viewer === "north") && this.snapshot?.yours.includes(viewer)
      ? viewer
      : null;
  }

  get isMyTurn(): boolean {
    return this.seat !== null && this.snapshot?.phase === "playing" && this.snapshot.to_move === this.seat;
  }

  can(command: MatchSnapshot["can"][number]): boolean {
    return this.snapshot?.can.includes(command) ?? false;
  }

  /** Play one of the choices the server offered. */
  async playChoice(choice: Choice): Promise<boolean> {
    return this.#act({ action: choice.action });
  }

  /** Play what somebody has written; a error is the referee's explanation. */
  async playText(text: string): Promise<boolean> {
    return this.#act({ text });
  }

  async #act(what: { action: number } | { text: string }): Promise<boolean> {
    const state = this.snapshot;
    if (!state || this.isBusy) return false;
    const before = this.unseenFrom;
    this.unseenFrom = state.number;
    const isDone = await this.send({ do: "act", number: state.number, ...what });
    if (!isDone) this.unseenFrom = before;
    return isDone;
  }

  /** Any command at the table; says whether it was done. The error of a error is kept. */
  async send(command: Command): Promise<boolean> {
    if (this.isBusy) return false;
    this.isBusy = true;
    this.error = "";
    try {
      await this.#connection.send({ ...command, ...(this.seat ? { seat: this.seat } : {}) });
      return true;
    } catch (error) {
      this.error = error instanceof ApiError ? error.message : "Something went wrong; try again.";
      return false;
    } finally {
      this.isBusy = false;
    }
  }

  /** Fetch a page of what happened before the history begins. */
  async fetchEarlier(): Promise<void> {
    const viewer = this.snapshot?.viewer;
    if (!viewer || !this.earliest) return;
    try {
      const page = await api.news(this.id, viewer, this.earliest);
      if (this.snapshot?.viewer !== viewer || page.since >= this.earliest) return;
      this.history = [...page.news, ...this.history];
      this.earliest = page.since;
    } catch (error) {
      this.error = error instanceof ApiError ? error.message : "Something went wrong; try again.";
    }
  }

  /** Look through other viewer; what the last ones saw is dropped first. */
  viewAs(viewer: Viewer): void {
    this.snapshot = null;
    this.history = [];
    this.error = "";
    this.#connection.viewAs(viewer, 0);
  }

  close(): void {
    this.#connection.close();
    this.snapshot = null;
    this.history = [];
  }

  #receive(state: MatchSnapshot): void {
    const last = this.snapshot;
    const isSame = last?.viewer === state.viewer && last.match === state.match;
    if (isSame && state.number < last.number) return;
    const known = isSame && state.since <= last.number ? this.history.at(-1)?.number : undefined;
    const news = known === undefined ? state.news : state.news.filter((one) => one.number > known);
    this.history = known === undefined ? state.news : [...this.history, ...news];
    if (known === undefined) this.earliest = state.since;
    this.snapshot = state;
    this.receivedAt = performance.now();
  }
}
