/**
 * The WebSocket of one match. It reconnects by itself and continues from the last number it received.
 *
 *     connecting ─► live ─► lost ─► (retry) ─► live …        closed: the server denies access
 */
import { language, t } from "../languages";
import { applyChange } from "./change";
import { ApiError } from "./http";
import type { Command, MatchSnapshot, SocketMessage, SocketRequest, Viewer } from "./types";

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
  snapshot: (snapshot: MatchSnapshot) => void;
  status: (status: ConnectionState) => void;
  error: (error: ApiError) => void;
}

export class Connection {
  #socket: WebSocket | undefined;
  #pending = new Map<string, PendingReply>();
  #since = 0;
  /** the snapshot that the next change applies to */
  #snapshot: MatchSnapshot | undefined;
  #nextId = 1;
  #retries = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #pingTimer: ReturnType<typeof setInterval> | undefined;
  #isClosed = false;

  constructor(
    readonly match: string,
    private viewer: Viewer | "",
    private listener: Listener,
  ) {
    this.#open();
  }

  /** Send a command; resolves when the server has executed it, rejects with its error. */
  send(command: Command | { do: "ping" }): Promise<void> {
    const socket = this.#socket;
    if (!socket || socket.readyState !== WebSocket.OPEN)
      return Promise.reject(new ApiError("offline", t("connection.offline")));
    const id = String(this.#nextId++);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#pending.delete(id);
        reject(new ApiError("slow", t("connection.slow")));
      }, REPLY_TIMEOUT_MS);
      this.#pending.set(id, { resolve, reject, timer });
      this.#write(socket, { ...command, id });
    });
  }

  /** View the match as another viewer from now on; the server replies with a snapshot. */
  viewAs(viewer: Viewer, since: number): void {
    this.viewer = viewer;
    this.#since = since;
    if (this.#socket?.readyState === WebSocket.OPEN) this.#write(this.#socket, { do: "look", viewer, since });
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retryTimer);
    clearInterval(this.#pingTimer);
    this.#socket?.close();
    this.#rejectPending();
  }

  #write(socket: WebSocket, request: SocketRequest): void {
    socket.send(JSON.stringify(request));
  }

  #open(): void {
    this.listener.status(this.#retries ? "lost" : "connecting");
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const query = new URLSearchParams({
      as: this.viewer,
      since: String(this.#since),
      changes: "1",
      language: language(),
    });
    const match = encodeURIComponent(this.match);
    const socket = new WebSocket(`${scheme}://${location.host}/api/matches/${match}/socket?${query}`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#retries = 0;
      this.listener.status("live");
      clearInterval(this.#pingTimer);
      const ping = (): void => void this.send({ do: "ping" }).catch(() => socket.close());
      this.#pingTimer = setInterval(ping, PING_INTERVAL_MS);
    };
    socket.onmessage = (message: MessageEvent<string>) =>
      this.#receive(JSON.parse(message.data) as SocketMessage);
    socket.onclose = (event) => this.#onClose(socket, event);
  }

  #onClose(socket: WebSocket, event: CloseEvent): void {
    if (socket !== this.#socket || this.#isClosed) return;
    clearInterval(this.#pingTimer);
    this.#rejectPending();
    if (event.code === FORBIDDEN) {
      this.listener.status("closed");
      this.listener.error(new ApiError(event.reason || "not-yours", t("connection.not-yours")));
      return;
    }
    this.listener.status("lost");
    const delay = Math.min(MAX_RETRY_MS, 250 * 2 ** this.#retries++);
    this.#retryTimer = setTimeout(() => this.#open(), delay * (0.7 + 0.6 * Math.random()));
  }

  #rejectPending(): void {
    for (const pending of this.#pending.values()) {
      clearTimeout(pending.timer);
      pending.reject(new ApiError("lost", t("connection.lost")));
    }
    this.#pending.clear();
  }

  #receive(message: SocketMessage): void {
    if (message.what === "state") this.#update(message);
    else if (message.what === "change") {
      if (this.#snapshot) this.#update(applyChange(this.#snapshot, message));
    } else this.#settle(message);
  }

  #update(snapshot: MatchSnapshot): void {
    this.#snapshot = snapshot;
    if (this.viewer !== "" && snapshot.viewer !== this.viewer && snapshot.phase !== "waiting") return;
    this.#since = snapshot.number;
    this.listener.snapshot(snapshot);
  }

  /** Resolve or reject the command that a reply belongs to. */
  #settle(reply: Exclude<SocketMessage, { what: "state" | "change" }>): void {
    const pending = this.#pending.get(reply.reply_to ?? "");
    if (pending) {
      this.#pending.delete(reply.reply_to ?? "");
      clearTimeout(pending.timer);
    }
    if (reply.what === "refused") {
      const error = new ApiError(reply.code, reply.sentence);
      if (pending) pending.reject(error);
      else this.listener.error(error);
    } else pending?.resolve();
  }
}
