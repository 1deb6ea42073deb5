import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MatchStore } from "./match-store.svelte";

class FakeSocket {
  static readonly OPEN = 1;
  static last: FakeSocket;
  readyState = FakeSocket.OPEN;
  sent: { id: string }[] = [];
  onopen?: () => void;
  onmessage?: (message: { data: string }) => void;
  onclose?: (event: { code: number; reason: string }) => void;
  constructor() {
    FakeSocket.last = this;
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as { id: string });
  }
  receive(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  refuse(code: string, sentence: string): void {
    this.receive({ what: "refused", reply_to: this.sent.at(-1)?.id, code, sentence });
  }
  close(): void {}
}

const STATE = {
  what: "state",
  match: "m1",
  viewer: "south",
  yours: ["south"],
  number: 3,
  since: 3,
  news: [],
};
let match: MatchStore;

beforeEach(() => {
  vi.stubGlobal("WebSocket", FakeSocket);
  match = new MatchStore("m1", "south");
  FakeSocket.last.onopen?.();
  FakeSocket.last.receive({ ...STATE, phase: "playing", to_move: "south", can: ["act"] });
});
afterEach(() => {
  match.close();
  vi.unstubAllGlobals();
});

test("what was said about the connection is gone when it is back", async () => {
  FakeSocket.last.readyState = 3;
  expect(await match.send({ do: "resign" })).toBe(false);
  expect(match.error).toContain("offline");
  FakeSocket.last.onopen?.();
  expect(match.error).toBe("");
});

test("what the referee said stays after a short loss of the connection", async () => {
  const done = match.playText("a2-b3");
  FakeSocket.last.refuse("illegal", "From a2 to b3 is diagonal.");
  await done;
  FakeSocket.last.onopen?.();
  expect(match.error).toBe("From a2 to b3 is diagonal.");
});

test("a player who clicked never sees what the reader of notation says", async () => {
  const done = match.explainMove("a2xc1");
  FakeSocket.last.refuse("unreadable", "Line 1, column 4: your own piece stands on c1; expected another.");
  await done;
  expect(match.error).toBe("That piece cannot go there.");
});
