/**
 * The line to one match: a socket that opens again by itself and goes on from the last number.
 *
 *     closed ─► connecting ─► live ─► (lost) ─► waiting ─► connecting …
 */
import { changed } from "./change";
import { Refusal } from "./http";
import type { Command, SocketAnswer, SocketRequest, State, Viewer } from "./types";

export type Connection = "connecting" | "live" | "lost" | "closed";

const FOREIGN = 4403;
const LONGEST_WAIT_MS = 5000;
const ANSWER_MS = 10000;
const PULSE_MS = 20000;

interface Waiting {
  resolve: () => void;
  reject: (error: Error) => void;
  timer: ReturnType<typeof setTimeout>;
}

interface Listener {
  state: (state: State) => void;
  connection: (connection: Connection) => void;
  refused: (refusal: Refusal) => void;
}

export class Line {
  #socket: WebSocket | undefined;
  #waiting = new Map<string, Waiting>();
  #since = 0;
  /** the State that changes are counted from */
  #last: State | undefined;
  #next = 1;
  #tries = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #pulse: ReturnType<typeof setInterval> | undefined;
  #isClosed = false;

  constructor(
    readonly match: string,
    private eyes: Viewer | "",
    private listener: Listener,
  ) {
    this.#open();
  }

  /** Do something at the table; fulfilled when the server has done it, refused with its sentence. */
  send(command: Command | { do: "ping" }): Promise<void> {
    const socket = this.#socket;
    if (!socket || socket.readyState !== WebSocket.OPEN)
      return Promise.reject(new Refusal("offline", "There is no connection just now; this was not sent."));
    const id = String(this.#next++);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(
          new Refusal("slow", "The server takes long to answer; look at the board before you try again."),
        );
      }, ANSWER_MS);
      this.#waiting.set(id, { resolve, reject, timer });
      this.#write(socket, { ...command, id });
    });
  }

  /** Look through other eyes from now on; the answer is their State. */
  look(eyes: Viewer, since: number): void {
    this.eyes = eyes;
    this.#since = since;
    if (this.#socket?.readyState === WebSocket.OPEN)
      this.#write(this.#socket, { do: "look", viewer: eyes, since });
  }

  #write(socket: WebSocket, request: SocketRequest): void {
    socket.send(JSON.stringify(request));
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    clearInterval(this.#pulse);
    this.#socket?.close();
    this.#giveUp();
  }

  #open(): void {
    this.listener.connection(this.#tries ? "lost" : "connecting");
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const asked = new URLSearchParams({ as: this.eyes, since: String(this.#since), changes: "1" });
    const match = encodeURIComponent(this.match);
    const socket = new WebSocket(`${scheme}://${location.host}/api/matches/${match}/socket?${asked}`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#tries = 0;
      this.listener.connection("live");
      clearInterval(this.#pulse);
      this.#pulse = setInterval(() => void this.send({ do: "ping" }).catch(() => socket.close()), PULSE_MS);
    };
    socket.onmessage = (message: MessageEvent<string>) =>
      this.#hear(JSON.parse(message.data) as SocketAnswer);
    socket.onclose = (event) => this.#closed(socket, event);
  }

  #closed(socket: WebSocket, event: CloseEvent): void {
    if (socket !== this.#socket || this.#isClosed) return;
    clearInterval(this.#pulse);
    this.#giveUp();
    if (event.code === FOREIGN) {
      this.listener.connection("closed");
      this.listener.refused(new Refusal(event.reason || "not-yours", "This seat is not yours."));
      return;
    }
    this.listener.connection("lost");
    const wait = Math.min(LONGEST_WAIT_MS, 250 * 2 ** this.#tries++);
    this.#retry = setTimeout(() => this.#open(), wait * (0.7 + 0.6 * Math.random()));
  }

  #giveUp(): void {
    for (const one of this.#waiting.values()) {
      clearTimeout(one.timer);
      one.reject(new Refusal("lost", "The connection was lost; look at the board before you try again."));
    }
    this.#waiting.clear();
  }

  #hear(message: SocketAnswer): void {
    let answer = message;
    if (answer.what === "change") {
      if (!this.#last) return;
      answer = changed(this.#last, answer);
    }
    if (answer.what === "state") {
      this.#last = answer;
      if (this.eyes !== "" && answer.viewer !== this.eyes && answer.phase !== "waiting") return;
      this.#since = answer.number;
      this.listener.state(answer);
      return;
    }
    const one = this.#waiting.get(answer.reply_to ?? "");
    if (one) {
      this.#waiting.delete(answer.reply_to ?? "");
      clearTimeout(one.timer);
    }
    if (answer.what === "refused") {
      const refusal = new Refusal(answer.code, answer.sentence);
      if (one) one.reject(refusal);
      else this.listener.refused(refusal);
    } else one?.resolve();
  }
}
