import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "./http";
import { Connection } from "./connection";
import type { Command } from "./types";

class FakeSocket {
  static readonly OPEN = 1;
  static last: FakeSocket;
  readyState = FakeSocket.OPEN;
  sent: { do: string; id: string }[] = [];
  onopen?: () => void;
  onmessage?: (message: { data: string }) => void;
  onclose?: (event: { code: number; reason: string }) => void;
  constructor(readonly url: string) {
    FakeSocket.last = this;
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as { do: string; id: string });
  }
  receive(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  close(): void {}
}

const listener = { snapshot: vi.fn(), status: vi.fn(), error: vi.fn() };
let connection: Connection;

beforeEach(() => {
  vi.stubGlobal("WebSocket", FakeSocket);
  connection = new Connection("m1", "south", listener);
});
afterEach(() => {
  connection.close();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

test("a command is sent with an id and fulfilled by the reply to it", async () => {
  const done = connection.send({ do: "chat", phrase: "hello", seat: "south" });
  const [request] = FakeSocket.last.sent;
  expect(request).toMatchObject({ do: "chat", phrase: "hello", seat: "south" });
  FakeSocket.last.receive({ what: "done", reply_to: request?.id, number: 1 });
  await expect(done).resolves.toBeUndefined();
});

test("a refused command is rejected with the server's sentence", async () => {
  const done = connection.send({ do: "resign" });
  const reply_to = FakeSocket.last.sent[0]?.id;
  FakeSocket.last.receive({ what: "refused", reply_to, code: "over", sentence: "The game is over." });
  await expect(done).rejects.toEqual(new ApiError("over", "The game is over."));
});

test("commands that have no reply are rejected when the connection is lost", async () => {
  const done = connection.send({ do: "offer-draw" });
  FakeSocket.last.onclose?.({ code: 1006, reason: "" });
  await expect(done).rejects.toThrow("connection was lost");
  expect(listener.status).toHaveBeenLastCalledWith("lost");
});

test("an unknown command or field is a type error", () => {
  // @ts-expect-error -- there is no such command
  const unknown: Command = { do: "surrender" };
  // @ts-expect-error -- a chat message needs its phrase
  const missing: Command = { do: "chat" };
  // @ts-expect-error -- resigning takes no text
  const extra: Command = { do: "resign", text: "I give up" };
  expect([unknown, missing, extra]).toHaveLength(3);
});
