import { beforeEach, describe, expect, it, vi } from "vitest";
import { api, ApiError } from "../api/http";
import type { Guest, PuzzleLine, PuzzleList, PuzzleState } from "../api/types";
import { PuzzleStore } from "./puzzle-store.svelte";
import { difficulty, nextPuzzle, rowsByGame } from "./puzzles";
import { solvedPuzzles } from "./solved.svelte";

const pieces = [
  { name: "a1", cell: "a1", side: "south", kind: "marshal" },
  { name: "a4", cell: "a4", side: "north", kind: "scout" },
  ...["b4", "c4", "d4", "e4"].map((cell) => ({ name: cell, cell, side: "north" })),
];
const answer = (fields: Partial<PuzzleState>): PuzzleState =>
  ({
    actions: [],
    verdict: "",
    picks: 3,
    state: { can: ["act"], viewer: "south", view: { pieces } },
    ...fields,
  }) as unknown as PuzzleState;

describe("a puzzle", () => {
  const load = vi.spyOn(api, "puzzle");
  const attempt = vi.spyOn(api, "tryPuzzle");
  beforeEach(() => {
    load.mockReset();
    attempt.mockReset();
    vi.spyOn(api, "me").mockResolvedValue({} as Guest);
    solvedPuzzles.clear();
    localStorage.clear();
  });

  const begun = async (): Promise<PuzzleStore> => {
    load.mockResolvedValueOnce(answer({}));
    const store = new PuzzleStore("one");
    await vi.waitFor(() => expect(store.answer).not.toBeNull());
    return store;
  };

  it("sends the actions so far with the new one, and is ticked once it is solved", async () => {
    const store = await begun();
    attempt.mockResolvedValueOnce(answer({ actions: ["b1-b2"] }));
    expect(await store.playText("b1-b2")).toBe(true);
    expect([store.isOver, store.isMyTurn, solvedPuzzles.has("one")]).toEqual([false, true, false]);
    attempt.mockResolvedValueOnce(answer({ actions: ["b1-b2", "b2xb3"], verdict: "solved" }));
    await store.playText("b2xb3");
    expect(attempt).toHaveBeenLastCalledWith("one", { actions: ["b1-b2", "b2xb3"] });
    expect([store.isOver, store.isMyTurn]).toEqual([true, false]);
    expect(localStorage.getItem("flagfall.puzzles")).toBe('["one"]');
  });

  it("is not ticked after a wrong decision", async () => {
    const store = await begun();
    attempt.mockResolvedValueOnce(answer({ verdict: "failed" }));
    expect(await store.decide("leave")).toBe(false);
    expect([store.isOver, solvedPuzzles.has("one")]).toEqual([true, false]);
  });

  it("lets up to three hidden enemy pieces be picked", async () => {
    const store = await begun();
    for (const square of ["a1", "a4", "h8"]) {
      store.togglePick(square);
      expect([store.picks, store.error]).toEqual([[], "Pick squares with hidden enemy pieces."]);
    }
    for (const square of ["b4", "c4", "b4", "b4", "d4", "e4"]) store.togglePick(square);
    expect(store.picks).toEqual(["b4", "d4", "e4"]);
    attempt.mockResolvedValueOnce(answer({ verdict: "failed" }));
    await store.submitPicks();
    expect(attempt).toHaveBeenLastCalledWith("one", { squares: ["b4", "d4", "e4"] });
    store.togglePick("b4");
    expect(store.picks).toEqual(["b4", "d4", "e4"]);
  });

  it("shows why an action is refused and keeps the position", async () => {
    const store = await begun();
    attempt.mockRejectedValueOnce(new ApiError("illegal", "b3 is a lake."));
    expect(await store.playText("b1-b3")).toBe(false);
    expect([store.error, store.answer?.actions, store.isOver]).toEqual(["b3 is a lake.", [], false]);
  });
});

describe("the list of puzzles", () => {
  const line = (id: string, kind: PuzzleLine["kind"], game: string): PuzzleLine =>
    ({ id, kind, game }) as PuzzleLine;
  const list = {
    today: "a",
    puzzles: [
      line("a", "win", "mini/3x4"),
      line("b", "fight", "mini/3x4"),
      line("c", "win", "onyx/classic"),
      line("d", "win", "mini/3x4"),
    ],
  } as PuzzleList;

  it("goes on with the same game and kind, then with the same kind, then with any", () => {
    const next = (id: string, ...solved: string[]): string | undefined =>
      nextPuzzle(list, id, (one) => solved.includes(one))?.id;
    expect(next("a")).toBe("d");
    expect(next("a", "d")).toBe("c");
    expect(next("b")).toBe("c");
    expect(next("a", "b", "c", "d")).toBeUndefined();
  });

  it("rates by how many fail, once a few have tried", () => {
    expect(difficulty({ tried: 2, solved: 0 })).toBe("");
    expect(difficulty({ tried: 10, solved: 9 })).toBe("Easy");
    expect(difficulty({ tried: 10, solved: 5 })).toBe("Medium");
    expect(difficulty({ tried: 10, solved: 1 })).toBe("Hard");
  });
});

describe("the rows of the list", () => {
  const line = (id: string, game: string): PuzzleLine => ({ id, game, box: "onyx" }) as PuzzleLine;

  it("has one row for each game, in the order of the list", () => {
    const rows = rowsByGame([line("1", "onyx/classic"), line("2", "onyx/duel"), line("3", "onyx/classic")]);
    expect(rows.map(({ game, puzzles }) => [game, puzzles.map(({ id }) => id)])).toEqual([
      ["onyx/classic", ["1", "3"]],
      ["onyx/duel", ["2"]],
    ]);
  });
});
