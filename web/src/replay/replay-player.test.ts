import { ApiError } from "../api/http";
import type { Replay, ReplayStep, Viewer } from "../api/types";
import { PAGE, Reel } from "./replay-player.svelte";

/** A game of so many turns; every page that is asked for is noted. */
function game(turns: number): {
  asked: string[];
  fetch: (eyes: Viewer, first: number, count: number) => Promise<Replay>;
} {
  const asked: string[] = [];
  return {
    asked,
    fetch: (eyes, first, count) => {
      asked.push(`${eyes} ${first}`);
      const steps: ReplayStep[] = [];
      for (let turn = first; turn <= Math.min(turns, first + count - 1); turn++)
        steps.push({ turn, label: "", text: "", words: `${eyes} saw turn ${turn}` } as ReplayStep);
      return Promise.resolve({ match: "m", viewer: eyes, turns, first, steps });
    },
  };
}

test("a step is shown, and the next page is fetched ahead", async () => {
  const { asked, fetch } = game(120);
  const reel = new Reel("m", fetch);
  await reel.go(3);
  expect(reel.step?.words).toBe("truth saw turn 3");
  expect(reel.turns).toBe(120);
  expect(asked).toEqual(["truth 0", `truth ${PAGE}`]);
});

test("a page is asked for once", async () => {
  const { asked, fetch } = game(30);
  const reel = new Reel("m", fetch);
  await reel.go(0);
  await reel.forward();
  await reel.forward();
  await reel.back();
  expect(reel.turn).toBe(1);
  expect(asked).toEqual(["truth 0"]);
});

test("other eyes see the same turn", async () => {
  const reel = new Reel("m", game(90).fetch);
  await reel.go(57);
  await reel.look("north");
  expect(reel.step?.words).toBe("north saw turn 57");
});

test("nobody goes before the start or past the end", async () => {
  const reel = new Reel("m", game(8).fetch);
  await reel.go(999);
  expect(reel.step?.turn).toBe(8);
  expect(reel.isAtEnd).toBe(true);
  await reel.forward();
  expect(reel.turn).toBe(8);
  await reel.go(-4);
  expect(reel.step?.turn).toBe(0);
});

test("who hurries sees only the step wanted last", async () => {
  const reel = new Reel("m", game(200).fetch);
  await reel.go(0);
  await Promise.all([reel.go(180), reel.go(20)]);
  expect(reel.step?.turn).toBe(20);
});

test("a game that is not over says so, in the server's words", async () => {
  const reel = new Reel("m", () => Promise.reject(new ApiError("hidden", "The record opens later.")));
  await reel.go(0);
  expect(reel.problem?.message).toBe("The record opens later.");
  expect(reel.step).toBeNull();
});

test("after a failure the page is asked for again", async () => {
  const { fetch } = game(5);
  let isDown = true;
  const reel = new Reel("m", (...wish) =>
    isDown ? Promise.reject(new ApiError("offline", "…")) : fetch(...wish),
  );
  await reel.go(0);
  isDown = false;
  await reel.go(0);
  expect(reel.problem).toBeNull();
  expect(reel.step?.turn).toBe(0);
});

test("playing runs to the end and stops there", async () => {
  vi.useFakeTimers();
  const reel = new Reel("m", game(3).fetch);
  await reel.go(1);
  await reel.play();
  await vi.runAllTimersAsync();
  expect(reel.turn).toBe(3);
  expect(reel.isPlaying).toBe(false);
  vi.useRealTimers();
});
