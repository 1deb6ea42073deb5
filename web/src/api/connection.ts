/**
 * The line to one match: a socket that opens again by itself and goes on from the last number.
 *
 *     closed ─► connecting ─► live ─► (lost) ─► waiting ─► connecting …
 */
import { applyChange } from "./change";
import { ApiError } from "./http";
import type { Command, SocketMessage, SocketRequest, MatchSnapshot, Viewer } from "./types";

export type ConnectionState = "connecting" | "live" | "lost" | "closed";

const FORBIDDEN = 4403;
const MAX_RETRY_MS = 5000;
const REPLY_TIMEOUT_MS = 10000;
const PING_INTERVAL_MS = 20000;

interface PendingReply {
  resolve: () => void;
  reject: (error: Error) => void;
  timer: ReturnType<typeof setTimeout>;
}

interface Listener {
  state: (state: MatchSnapshot) => void;
  status: (status: ConnectionState) => void;
  error: (refusal: ApiError) => void;
}

export class Connection {
  #socket: WebSocket | undefined;
  #pending = new Map<string, PendingReply>();
  #since = 0;
  /** the MatchSnapshot that changes are counted from */
  #snapshot: MatchSnapshot | undefined;
  #nextId = 1;
  #tries = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #pinging: ReturnType<typeof setInterval> | undefined;
  #isClosed = false;

  constructor(
    readonly match: string,
    private viewer: Viewer | "",
    private listener: Listener,
  ) {
    this.#open();
  }

  /** Do something at the table; fulfilled when the server has done it, refused with its sentence. */
  send(command: Command | { do: "ping" }): Promise<void> {
    const socket = this.#socket;
    if (!socket || socket.readyState !== WebSocket.OPEN)
      return Promise.reject(new ApiError("offline", "There is no connection just now; this was not sent."));
    const id = String(this.#nextId++);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#pending.delete(id);
        reject(
          new ApiError("slow", "The server takes long to answer; look at the board before you try again."),
        );
      }, REPLY_TIMEOUT_MS);
      this.#pending.set(id, { resolve, reject, timer });
      this.#write(socket, { ...command, id });
    });
  }

  /** Look through other viewer from now on; the answer is their MatchSnapshot. */
  viewAs(viewer: Viewer, since: number): void {
    this.viewer = viewer;
    this.#since = since;
    if (this.#socket?.readyState === WebSocket.OPEN)
      this.#write(this.#socket, { do: "look", viewer: viewer, since });
  }

  #write(socket: WebSocket, request: SocketRequest): void {
    socket.send(JSON.stringify(request));
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    clearInterval(this.#pinging);
    this.#socket?.close();
    this.#rejectPending();
  }

  #open(): void {
    this.listener.status(this.#tries ? "lost" : "connecting");
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const asked = new URLSearchParams({ as: this.viewer, since: String(this.#since), changes: "1" });
    const match = encodeURIComponent(this.match);
    const socket = new WebSocket(`${scheme}://${location.host}/api/matches/${match}/socket?${asked}`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#tries = 0;
      this.listener.status("live");
      clearInterval(this.#pinging);
      this.#pinging = setInterval(
        () => void this.send({ do: "ping" }).catch(() => socket.close()),
        PING_INTERVAL_MS,
      );
    };
    socket.onmessage = (message: MessageEvent<string>) =>
      this.#receive(JSON.parse(message.data) as SocketMessage);
    socket.onclose = (event) => this.#closed(socket, event);
  }

  #closed(socket: WebSocket, event: CloseEvent): void {
    if (socket !== this.#socket || this.#isClosed) return;
    clearInterval(this.#pinging);
    this.#rejectPending();
    if (event.code === FORBIDDEN) {
      this.listener.status("closed");
      this.listener.error(new ApiError(event.reason || "not-yours", "This seat is not yours."));
      return;
    }
    this.listener.status("lost");
    const wait = Math.min(MAX_RETRY_MS, 250 * 2 ** this.#tries++);
    this.#retry = setTimeout(() => this.#open(), wait * (0.7 + 0.6 * Math.random()));
  }

  #rejectPending(): void {
    for (const one of this.#pending.values()) {
      clearTimeout(one.timer);
      one.reject(new ApiError("lost", "The connection was lost; look at the board before you try again."));
    }
    this.#pending.clear();
  }

  #receive(message: SocketMessage): void {
    let answer = message;
    if (answer.what === "change") {
      if (!this.#snapshot) return;
      answer = applyChange(this.#snapshot, answer);
    }
    if (answer.what === "state") {
      this.#snapshot = answer;
      if (this.viewer !== "" && answer.viewer !== this.viewer && answer.phase !== "waiting") return;
      this.#since = answer.number;
      this.listener.state(answer);
      return;
    }
    const one = this.#pending.get(answer.reply_to ?? "");
    if (one) {
      this.#pending.delete(answer.reply_to ?? "");
      clearTimeout(one.timer);
    }
    if (answer.what === "refused") {
      const refusal = new ApiError(answer.code, answer.sentence);
      if (one) one.reject(refusal);
      else this.listener.error(refusal);
    } else one?.resolve();
  }
}
