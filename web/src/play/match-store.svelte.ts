/**
 * One match as one viewer sees it: the newest snapshot, the history, and the connection to the server.
 *
 * A hot-seat match shows one seat at a time. Behind the curtain it is viewed as a watcher, and what the seat
 * saw is dropped.
 */
import { Connection, type ConnectionState } from "../api/connection";
import { api, ApiError, errorMessage } from "../api/http";
import { withoutTakenBack } from "../coach/take-back";
import type { Choice, Command, MatchSnapshot, News, Side, Viewer } from "../api/types";
import { t } from "../languages";

/** Errors that no longer matter once there is a connection again. */
const CONNECTION_ERRORS: readonly string[] = ["offline", "lost", "slow"];

export class MatchStore {
  snapshot = $state.raw<MatchSnapshot | null>(null);
  status = $state<ConnectionState>("connecting");
  /** the last error message, from the referee or the server */
  error = $state("");
  /** everything this viewer saw happen, oldest first */
  history = $state.raw<News[]>([]);
  /** the history is complete from this number on; earlier news can be fetched */
  earliest = $state(0);
  /** news from this number on came after the viewer's last turn */
  unseenFrom = $state(0);
  isBusy = $state(false);
  /** when the snapshot arrived, as `performance.now()` */
  receivedAt = $state(0);
  /** the server denies access to this match */
  fatalError = $state<ApiError | null>(null);
  #connection: Connection;
  #errorCode = "";

  constructor(
    readonly id: string,
    viewer: Viewer | "",
    readonly isHotSeat = false,
  ) {
    this.#connection = new Connection(id, viewer, {
      snapshot: (snapshot) => this.#receive(snapshot),
      status: (status) => {
        this.status = status;
        if (status === "live" && CONNECTION_ERRORS.includes(this.#errorCode)) this.error = "";
      },
      error: (error) => {
        this.error = error.message;
        if (this.status === "closed") this.fatalError = error;
      },
    });
  }

  /** The viewer's own seat; null for watchers. */
  get seat(): Side | null {
    const viewer = this.snapshot?.viewer;
    const isSide = viewer === "south" || viewer === "north";
    return isSide && this.snapshot?.yours.includes(viewer) ? viewer : null;
  }

  get isMyTurn(): boolean {
    return this.seat !== null && this.snapshot?.phase === "playing" && this.snapshot.to_move === this.seat;
  }

  can(command: MatchSnapshot["can"][number]): boolean {
    return this.snapshot?.can.includes(command) ?? false;
  }

  /** Play one of the choices the server offered. */
  playChoice(choice: Choice): Promise<boolean> {
    return this.#act({ action: choice.action });
  }

  /** Play a turn in notation; the error of an illegal one is the referee's explanation. */
  playText(text: string): Promise<boolean> {
    return this.#act({ text });
  }

  /** Ask the referee why a piece cannot go where the player clicked. */
  async explainMove(text: string): Promise<void> {
    const isDone = await this.playText(text);
    if (!isDone && this.#errorCode === "unreadable") this.error = t("play.cannot-go");
  }

  async #act(move: { action: number } | { text: string }): Promise<boolean> {
    const snapshot = this.snapshot;
    if (!snapshot || this.isBusy) return false;
    const before = this.unseenFrom;
    this.unseenFrom = snapshot.number;
    const isDone = await this.send({ do: "act", number: snapshot.number, ...move });
    if (!isDone) this.unseenFrom = before;
    return isDone;
  }

  /** Send a command and return whether it succeeded; otherwise `error` says why not. */
  async send(command: Command): Promise<boolean> {
    if (this.isBusy) return false;
    this.isBusy = true;
    this.error = this.#errorCode = "";
    try {
      await this.#connection.send({ ...command, ...(this.seat ? { seat: this.seat } : {}) });
      return true;
    } catch (error) {
      this.error = errorMessage(error);
      this.#errorCode = error instanceof ApiError ? error.code : "";
      return false;
    } finally {
      this.isBusy = false;
    }
  }

  /** Fetch the page of news before the history. */
  async fetchEarlier(): Promise<void> {
    const viewer = this.snapshot?.viewer;
    if (!viewer || !this.earliest) return;
    try {
      const page = await api.news(this.id, viewer, this.earliest);
      if (this.snapshot?.viewer !== viewer || page.since >= this.earliest) return;
      this.history = [...page.news, ...this.history];
      this.earliest = page.since;
    } catch (error) {
      this.error = errorMessage(error);
    }
  }

  /** View the match as another viewer; everything the last one saw is dropped first. */
  viewAs(viewer: Viewer): void {
    this.#forget();
    this.error = "";
    this.#connection.viewAs(viewer, 0);
  }

  close(): void {
    this.#connection.close();
    this.#forget();
  }

  #forget(): void {
    this.snapshot = null;
    this.history = [];
  }

  #receive(snapshot: MatchSnapshot): void {
    const last = this.snapshot;
    const isSame = last?.viewer === snapshot.viewer && last.match === snapshot.match;
    if (isSame && snapshot.number < last.number) return;
    const known = isSame && snapshot.since <= last.number ? this.history.at(-1)?.number : undefined;
    if (known === undefined) {
      this.history = snapshot.news;
      this.earliest = snapshot.since;
    } else {
      const news = snapshot.news.filter((one) => one.number > known);
      this.history = withoutTakenBack([...this.history, ...news]);
    }
    this.snapshot = snapshot;
    this.receivedAt = performance.now();
  }
}
