import { api, ApiError } from "../api/http";
import type { GameInfo, SetupAnswer } from "../api/types";
import { EditorState } from "./editor-state.svelte";
import { forgetDrafts, storedDraft, storeDraft } from "./stored-draft";

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
    { name: "fortress", text: "", title: "Fortress" },
    { name: "open", text: "", title: "Open" },
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

async function begun(): Promise<EditorState> {
  const editor = new EditorState(game, "south");
  await editor.begin();
  return editor;
}

beforeEach(() => {
  vi.spyOn(api, "setup").mockResolvedValue(answer(fortress, ["The Flag is easy to see."]));
});
afterEach(() => vi.restoreAllMocks());

test("it starts with the first style of the box, ready to be submitted", async () => {
  const editor = await begun();
  expect(api.setup).toHaveBeenCalledWith("box/game", { side: "south", style: "fortress" });
  expect(editor.draft.squares).toEqual(fortress);
  expect(editor.isReady).toBe(true);
  expect(editor.style).toBe("fortress");
  expect(editor.advice.warnings).toEqual(["The Flag is easy to see."]);
  expect(await editor.code()).toBe("FB./2.2");
  expect(api.setup).toHaveBeenCalledTimes(1);
});

test("selecting two squares swaps them, the same square twice deselects it", async () => {
  const editor = await begun();
  editor.selectSquare("a1");
  expect(editor.selectedCell).toBe("a1");
  expect(editor.announcement).toBe("Flag on a1 selected.");
  editor.selectSquare("a1");
  expect(editor.selectedCell).toBe("");
  editor.selectSquare("a1");
  editor.selectSquare("b1");
  expect(editor.draft.squares).toEqual({ ...fortress, a1: "bomb", b1: "flag" });
  expect(editor.announcement).toBe("Flag and Bomb swapped.");
  expect(editor.style).toBe("");
});

test("selecting a square outside home deselects and moves nothing", async () => {
  const editor = await begun();
  editor.selectSquare("a2");
  editor.selectSquare("a3");
  expect(editor.selectedCell).toBe("");
  expect(editor.draft.squares).toEqual(fortress);
});

test("after clearing, one kind after the other is selected", async () => {
  const editor = await begun();
  editor.clear();
  expect(editor.selectedKind).toBe("scout");
  expect(editor.isReady).toBe(false);
  editor.selectSquare("a2");
  editor.selectSquare("b2");
  expect(editor.selectedKind).toBe("bomb");
  editor.placeByLabel("f", "c1");
  editor.selectSquare("b1");
  expect(editor.draft.squares).toEqual({ a2: "scout", b2: "scout", c1: "flag", b1: "bomb" });
  expect(editor.selectedKind).toBe("");
  expect(editor.announcement).toBe("Bomb placed on b1. All pieces are placed.");
});

test("a rejected code changes nothing", async () => {
  const editor = await begun();
  vi.spyOn(api, "setup").mockRejectedValue(new ApiError("setup", "“z” on a1 is no piece."));
  await expect(editor.load({ code: "zzz" }, "")).rejects.toThrow("“z” on a1 is no piece.");
  await editor.attempt(() => editor.load({ style: "open" }, ""));
  expect(editor.error).toBe("“z” on a1 is no piece.");
  expect(editor.draft.squares).toEqual(fortress);
  expect(editor.draft.canUndo).toBe(false);
  expect(editor.isBusy).toBe(false);
});

test("loading another style can be undone", async () => {
  const editor = await begun();
  vi.spyOn(api, "setup").mockResolvedValue(answer({ c1: "flag", b1: "bomb", a2: "scout", c2: "scout" }));
  await editor.load({ style: "open" }, "");
  expect(editor.style).toBe("open");
  editor.undo();
  expect(editor.draft.squares).toEqual(fortress);
});

test("a submitted setup cannot be changed", async () => {
  const editor = await begun();
  editor.isEditable = false;
  editor.selectSquare("a1");
  editor.swap("a1", "b1");
  editor.remove("a1");
  editor.place("scout", "c1");
  expect(editor.selectedCell).toBe("");
  expect(editor.draft.squares).toEqual(fortress);
  expect(editor.isReady).toBe(false);
});

test("squares in words", async () => {
  const editor = await begun();
  expect(["a2", "b1", "c1", "b3", "a3"].map((cell) => editor.describe(cell))).toEqual([
    "a2, Scout, 2",
    "b1, Bomb",
    "c1, empty",
    "b3, lake",
    "a3, outside your home squares",
  ]);
});

describe("a reload", () => {
  beforeEach(() => sessionStorage.clear());

  const edited = async (): Promise<EditorState> => {
    const editor = new EditorState(game, "south", "m1");
    await editor.begin();
    editor.swap("a1", "b1");
    editor.store();
    return editor;
  };

  test("keeps the setup of this match and this side", async () => {
    const before = await edited();
    const again = new EditorState(game, "south", "m1");
    await again.begin();
    expect(again.draft.squares).toEqual(before.draft.squares);
    expect(again.draft.squares["a1"]).toBe("bomb");
    expect(again.isReady).toBe(true);
  });

  test("keeps nothing for another match, another side or after the game has begun", async () => {
    await edited();
    const elsewhere = new EditorState(game, "south", "m2");
    await elsewhere.begin();
    expect(elsewhere.draft.squares).toEqual(fortress);
    expect(storedDraft("m1", "north")).toBeNull();
    forgetDrafts("m1");
    expect(storedDraft("m1", "south")).toBeNull();
  });

  test("does not keep what is no setup of this army", async () => {
    storeDraft("m1", "south", { squares: { a1: "flag", b1: "flag" }, style: "" });
    const again = new EditorState(game, "south", "m1");
    await again.begin();
    expect(again.draft.squares).toEqual(fortress);
  });
});
