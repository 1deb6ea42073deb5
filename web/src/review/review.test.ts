import type { Findings, Review } from "../api/types";
import { POLL_MS, ReviewStore, type ReviewApi } from "./review-store.svelte";
import { estimates, luckWords, percent, pointTitle, trueChances, turnNumber, valueAt } from "./words";

const FINDINGS = {
  turns: [
    { turn: 0, side: "south", known: { estimate: 0.6 }, truth: { estimate: 0.8 } },
    { turn: 1, side: "north", known: { estimate: 0.5 }, truth: { estimate: 0.4 } },
    { turn: 2, side: "south", known: { estimate: 0.3 }, truth: null },
  ],
} as unknown as Findings;

const answer = (status: Review["status"], done: number, viewer: Review["viewer"] = "truth"): Review => ({
  match: "m",
  viewer,
  status,
  done,
  turns: 3,
  ahead: 0,
  findings: status === "done" ? ({ ...FINDINGS, viewer } as Findings) : null,
});

/** A server whose review is done after some questions; every request is recorded. */
function server(answers: Review[]): { asked: string[]; source: ReviewApi } {
  const asked: string[] = [];
  const next = (): Review => answers.shift() ?? answer("done", 3);
  return {
    asked,
    source: {
      review: (viewer) => {
        asked.push(`review ${viewer}`);
        const { status, done } = next();
        return Promise.resolve(answer(status, done, viewer));
      },
      start: () => {
        asked.push("start");
        return Promise.resolve(next());
      },
      stop: () => {
        asked.push("stop");
        return Promise.resolve(next());
      },
      beliefs: () => Promise.reject(new Error("none")),
    },
  };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("one click starts a review, and it is asked for until it is done", async () => {
  const { asked, source } = server([answer("none", 0), answer("running", 0), answer("running", 2)]);
  const review = new ReviewStore("m", source);
  await review.open("truth");
  expect(asked).toEqual(["review truth", "start"]);
  expect(review.isRunning).toBe(true);
  await vi.advanceTimersByTimeAsync(POLL_MS);
  expect(review.progress?.done).toBe(2);
  await vi.advanceTimersByTimeAsync(POLL_MS);
  expect(review.findings?.viewer).toBe("truth");
  await vi.advanceTimersByTimeAsync(10 * POLL_MS);
  expect(asked).toEqual(["review truth", "start", "review truth", "review truth"]);
});

test("a kept review is not started again, and each viewer's is fetched once", async () => {
  const { asked, source } = server([]);
  const review = new ReviewStore("m", source);
  await review.open("truth");
  await review.viewAs("south");
  expect(review.findings?.viewer).toBe("south");
  await review.viewAs("truth");
  await review.viewAs("south");
  expect(asked).toEqual(["review truth", "review south"]);
});

test("a stopped or closed review is not asked for any more", async () => {
  const { asked, source } = server([answer("running", 1), answer("running", 1)]);
  const review = new ReviewStore("m", source);
  await review.open("truth");
  await review.stop();
  expect(review.progress?.status).toBe("stopped");
  await vi.advanceTimersByTimeAsync(5 * POLL_MS);
  expect(asked).toEqual(["review truth", "stop"]);
});

test("the graph has each side's own estimates and South's true chance", () => {
  expect(estimates(FINDINGS, "south").map((point) => point.value)).toEqual([0.6, 0.3]);
  expect(trueChances(FINDINGS).map((point) => point.value)).toEqual([0.8, expect.closeTo(0.7)]);
  expect(valueAt(estimates(FINDINGS, "south"), 1)).toBe(0.6);
  expect(valueAt(estimates(FINDINGS, "north"), 0)).toBeUndefined();
});

test("chances and luck in words", () => {
  expect([0, 0.001, 0.5, 0.999, 1].map(percent)).toEqual(["0%", "under 1%", "50%", "over 99%", "100%"]);
  const side = { side: "south", name: "Anna", turns: 9, given_away: 0, mistakes: 0, trust: null } as const;
  expect(luckWords({ ...side, fights: 4, won: 3, expected: 1.5 })).toContain(
    "about 1.5 would be usual. Lucky!",
  );
  expect(luckWords({ ...side, fights: 0, won: 0, expected: 0 })).toBe("no fights with hidden pieces.");
});

test("turns are counted as in the list of moves, those of both sides", () => {
  expect([0, 1, 60].map(turnNumber)).toEqual([1, 2, 61]);
  const point = { side: "south", turn: 60, cause: "choice" } as Findings["turning_points"][number];
  expect(pointTitle(point)).toBe("South, turn 61: a better choice was there");
});
