import { ApiError } from "../api/http";
import type { Replay, ReplayStep, Viewer } from "../api/types";
import { PAGE_SIZE, ReplayPlayer } from "./replay-player.svelte";

/** A match with some number of turns; every request for a page is recorded. */
function game(turns: number): {
  requests: string[];
  fetch: (viewer: Viewer, first: number, count: number) => Promise<Replay>;
} {
  const requests: string[] = [];
  return {
    requests,
    fetch: (viewer, first, count) => {
      requests.push(`${viewer} ${first}`);
      const steps: ReplayStep[] = [];
      for (let turn = first; turn <= Math.min(turns, first + count - 1); turn++)
        steps.push({ turn, label: "", text: "", words: `${viewer} saw turn ${turn}` } as ReplayStep);
      return Promise.resolve({ match: "m", viewer: viewer, turns, first, steps });
    },
  };
}

test("a step is shown, and the next page is prefetched", async () => {
  const { requests, fetch } = game(120);
  const player = new ReplayPlayer("m", fetch);
  await player.showTurn(3);
  expect(player.step?.words).toBe("truth saw turn 3");
  expect(player.turns).toBe(120);
  expect(requests).toEqual(["truth 0", `truth ${PAGE_SIZE}`]);
});

test("a page is fetched once", async () => {
  const { requests, fetch } = game(30);
  const player = new ReplayPlayer("m", fetch);
  await player.showTurn(0);
  await player.forward();
  await player.forward();
  await player.back();
  expect(player.turn).toBe(1);
  expect(requests).toEqual(["truth 0"]);
});

test("another viewer sees the same turn", async () => {
  const player = new ReplayPlayer("m", game(90).fetch);
  await player.showTurn(57);
  await player.viewAs("north");
  expect(player.step?.words).toBe("north saw turn 57");
});

test("there is no turn before the start or after the end", async () => {
  const player = new ReplayPlayer("m", game(8).fetch);
  await player.showTurn(999);
  expect(player.step?.turn).toBe(8);
  expect(player.isAtEnd).toBe(true);
  await player.forward();
  expect(player.turn).toBe(8);
  await player.showTurn(-4);
  expect(player.step?.turn).toBe(0);
});

test("of several requests only the last one is shown", async () => {
  const player = new ReplayPlayer("m", game(200).fetch);
  await player.showTurn(0);
  await Promise.all([player.showTurn(180), player.showTurn(20)]);
  expect(player.step?.turn).toBe(20);
});

test("a match that is not over shows the server's message", async () => {
  const player = new ReplayPlayer("m", () =>
    Promise.reject(new ApiError("hidden", "The record opens later.")),
  );
  await player.showTurn(0);
  expect(player.error?.message).toBe("The record opens later.");
  expect(player.step).toBeNull();
});

test("after a failure the page is fetched again", async () => {
  const { fetch } = game(5);
  let isDown = true;
  const player = new ReplayPlayer("m", (...args) =>
    isDown ? Promise.reject(new ApiError("offline", "…")) : fetch(...args),
  );
  await player.showTurn(0);
  isDown = false;
  await player.showTurn(0);
  expect(player.error).toBeNull();
  expect(player.step?.turn).toBe(0);
});

test("playing stops at the end", async () => {
  vi.useFakeTimers();
  const player = new ReplayPlayer("m", game(3).fetch);
  await player.showTurn(1);
  await player.play();
  await vi.runAllTimersAsync();
  expect(player.turn).toBe(3);
  expect(player.isPlaying).toBe(false);
  vi.useRealTimers();
});
