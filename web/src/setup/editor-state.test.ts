import { api, ApiError } from "../api/http";
import type { GameInfo, SetupAnswer } from "../api/types";
import { Editing } from "./editor-state.svelte";

const kind = (id: string, label: string, count: number): object => ({
  id,
  label,
  code: label,
  south: { name: id[0]?.toUpperCase() + id.slice(1), count },
  north: { name: id, count },
});

/** Two Scouts, a Bomb and the Flag on two rows of three; a lake lies before them. */
const game = {
  id: "box/game",
  armies: [],
  styles: [
    { name: "fortress", text: "" },
    { name: "open", text: "" },
  ],
  board: {
    columns: 3,
    rows: 5,
    zones: ["b3"],
    zone_word: "lake",
    home: {
      south: [
        ["a1", "b1", "c1"],
        ["a2", "b2", "c2"],
      ],
      north: [],
    },
  },
  kinds: [kind("scout", "2", 2), kind("bomb", "B", 1), kind("flag", "F", 1)],
} as unknown as GameInfo;

const fortress = { a1: "flag", b1: "bomb", a2: "scout", c2: "scout" };
const answer = (squares: Record<string, string>, warnings: string[] = []): SetupAnswer => ({
  code: "FB./2.2",
  squares,
  warnings,
});

async function begun(): Promise<Editing> {
  const editing = new Editing(game, "south");
  await editing.begin();
  return editing;
}

beforeEach(() => {
  vi.spyOn(api, "setup").mockResolvedValue(answer(fortress, ["The Flag is easy to see."]));
});
afterEach(() => vi.restoreAllMocks());

test("it begins with the box's first style, and one tap would do", async () => {
  const editing = await begun();
  expect(api.setup).toHaveBeenCalledWith("box/game", { side: "south", style: "fortress" });
  expect(editing.draft.squares).toEqual(fortress);
  expect(editing.isReady).toBe(true);
  expect(editing.style).toBe("fortress");
  expect(editing.counsel.warnings).toEqual(["The Flag is easy to see."]);
  expect(await editing.code()).toBe("FB./2.2");
  expect(api.setup).toHaveBeenCalledTimes(1);
});

test("two presses swap, the same square twice lets go", async () => {
  const editing = await begun();
  editing.press("a1");
  expect(editing.pickedCell).toBe("a1");
  expect(editing.news).toBe("Flag on a1 chosen.");
  editing.press("a1");
  expect(editing.pickedCell).toBe("");
  editing.press("a1");
  editing.press("b1");
  expect(editing.draft.squares).toEqual({ ...fortress, a1: "bomb", b1: "flag" });
  expect(editing.news).toBe("Flag and Bomb have changed places.");
  expect(editing.style).toBe("");
});

test("a press outside home lets go and moves nothing", async () => {
  const editing = await begun();
  editing.press("a2");
  editing.press("a3");
  expect(editing.pickedCell).toBe("");
  expect(editing.draft.squares).toEqual(fortress);
});

test("after clearing, one kind after the other is at hand", async () => {
  const editing = await begun();
  editing.clear();
  expect(editing.pickedKind).toBe("scout");
  expect(editing.isReady).toBe(false);
  editing.press("a2");
  editing.press("b2");
  expect(editing.pickedKind).toBe("bomb");
  editing.type("f", "c1");
  editing.press("b1");
  expect(editing.draft.squares).toEqual({ a2: "scout", b2: "scout", c1: "flag", b1: "bomb" });
  expect(editing.pickedKind).toBe("");
  expect(editing.news).toBe("Bomb placed on b1. All pieces stand.");
});

test("a refused code leaves everything as it was", async () => {
  const editing = await begun();
  vi.spyOn(api, "setup").mockRejectedValue(new ApiError("setup", "“z” on a1 is no piece."));
  await expect(editing.take({ code: "zzz" }, "")).rejects.toThrow("“z” on a1 is no piece.");
  await editing.attempt(() => editing.take({ style: "open" }, ""));
  expect(editing.said).toBe("“z” on a1 is no piece.");
  expect(editing.draft.squares).toEqual(fortress);
  expect(editing.draft.canUndo).toBe(false);
  expect(editing.isBusy).toBe(false);
});

test("another style can be taken back", async () => {
  const editing = await begun();
  vi.spyOn(api, "setup").mockResolvedValue(answer({ c1: "flag", b1: "bomb", a2: "scout", c2: "scout" }));
  await editing.take({ style: "open" }, "");
  expect(editing.style).toBe("open");
  editing.undo();
  expect(editing.draft.squares).toEqual(fortress);
});

test("what is handed in stays as it is", async () => {
  const editing = await begun();
  editing.isOpen = false;
  editing.press("a1");
  editing.swap("a1", "b1");
  editing.lift("a1");
  editing.place("scout", "c1");
  expect(editing.pickedCell).toBe("");
  expect(editing.draft.squares).toEqual(fortress);
  expect(editing.isReady).toBe(false);
});

test("squares in words", async () => {
  const editing = await begun();
  expect(["a2", "b1", "c1", "b3", "a3"].map((cell) => editing.describe(cell))).toEqual([
    "a2, Scout, 2",
    "b1, Bomb",
    "c1, free",
    "b3, lake",
    "a3, outside your home",
  ]);
});
