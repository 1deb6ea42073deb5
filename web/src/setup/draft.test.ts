import type { GameInfo } from "../api/types";
import { SetupDraft } from "./draft.svelte";

const count = (south: number): { count: number } => ({ count: south });

/** A box with two home rows of three and four pieces: two Scouts, a Bomb, the Flag. */
const game = {
  board: {
    columns: 3,
    rows: 5,
    home: {
      south: [
        ["a1", "b1", "c1"],
        ["a2", "b2", "c2"],
      ],
      north: [
        ["a5", "b5", "c5"],
        ["a4", "b4", "c4"],
      ],
    },
  },
  kinds: [
    { id: "scout", south: count(2), north: count(2) },
    { id: "bomb", south: count(1), north: count(1) },
    { id: "flag", south: count(1), north: count(1) },
    { id: "guest", south: count(0), north: count(1) },
  ],
} as unknown as GameInfo;

const full = { a1: "flag", b1: "bomb", a2: "scout", c2: "scout" };

function drafted(): SetupDraft {
  const draft = new SetupDraft(game, "south");
  draft.begin(full);
  return draft;
}

describe("swapping", () => {
  test("two pieces change places", () => {
    const draft = drafted();
    expect(draft.swap("a1", "b1")).toBe(true);
    expect(draft.squares).toEqual({ ...full, a1: "bomb", b1: "flag" });
  });

  test("a piece moves to an empty home square", () => {
    const draft = drafted();
    expect(draft.swap("a1", "c1")).toBe(true);
    expect(draft.squares).toEqual({ c1: "flag", b1: "bomb", a2: "scout", c2: "scout" });
    expect(draft.isComplete).toBe(true);
  });

  test("pieces stay on home squares, and swapping two empty squares does nothing", () => {
    const draft = drafted();
    expect(draft.swap("a2", "a3")).toBe(false);
    expect(draft.swap("b2", "c1")).toBe(false);
    expect(draft.swap("a1", "a1")).toBe(false);
    expect(draft.squares).toEqual(full);
    expect(draft.canUndo).toBe(false);
  });
});

describe("undo and redo", () => {
  test("every step can be undone and redone", () => {
    const draft = drafted();
    draft.swap("a1", "b1");
    draft.remove("c2");
    draft.undo();
    expect(draft.squares).toEqual({ ...full, a1: "bomb", b1: "flag" });
    draft.undo();
    expect(draft.squares).toEqual(full);
    expect(draft.canUndo).toBe(false);
    draft.redo();
    draft.redo();
    expect(draft.squares).toEqual({ a1: "bomb", b1: "flag", a2: "scout" });
    expect(draft.canRedo).toBe(false);
  });

  test("a new step clears what could be redone", () => {
    const draft = drafted();
    draft.swap("a1", "b1");
    draft.undo();
    draft.swap("a1", "c1");
    expect(draft.canRedo).toBe(false);
  });

  test("replacing a setup by itself is not a step", () => {
    const draft = drafted();
    draft.replace({ ...full });
    draft.swap("a2", "c2");
    expect(draft.canUndo).toBe(false);
  });

  test("undo and redo do nothing at the ends of the history", () => {
    const draft = drafted();
    draft.undo();
    draft.redo();
    expect(draft.squares).toEqual(full);
  });
});

describe("clearing and placing", () => {
  test("clearing moves the whole army to the tray, in the order of the box", () => {
    const draft = drafted();
    draft.clear();
    expect(draft.tray).toEqual([
      { kind: "scout", count: 2 },
      { kind: "bomb", count: 1 },
      { kind: "flag", count: 1 },
    ]);
    expect(draft.unplaced).toBe(4);
    expect(draft.isComplete).toBe(false);
    draft.undo();
    expect(draft.squares).toEqual(full);
  });

  test("pieces can be placed until none is left", () => {
    const draft = drafted();
    draft.clear();
    expect(draft.place("scout", "a1")).toBe(true);
    expect(draft.place("scout", "b1")).toBe(true);
    expect(draft.place("scout", "c1")).toBe(false);
    expect(draft.place("bomb", "a3")).toBe(false);
    expect(draft.place("guest", "c1")).toBe(false);
    expect(draft.tray.map((entry) => entry.kind)).toEqual(["bomb", "flag"]);
  });

  test("placing a piece on another sends that one to the tray", () => {
    const draft = drafted();
    draft.remove("b1");
    draft.place("bomb", "a1");
    expect(draft.squares["a1"]).toBe("bomb");
    expect(draft.tray).toEqual([{ kind: "flag", count: 1 }]);
  });

  test("nothing can be removed from an empty square", () => {
    const draft = drafted();
    expect(draft.remove("b2")).toBe(false);
    expect(draft.canUndo).toBe(false);
  });
});

test("mirroring swaps left and right, and mirroring twice restores the setup", () => {
  const draft = drafted();
  draft.mirror();
  expect(draft.squares).toEqual({ c1: "flag", b1: "bomb", a2: "scout", c2: "scout" });
  draft.mirror();
  expect(draft.squares).toEqual(full);
});

test("the north army is set up on the other side of the board", () => {
  const draft = new SetupDraft(game, "north");
  expect(draft.unplaced).toBe(5);
  expect(draft.place("guest", "b5")).toBe(true);
  expect(draft.place("flag", "a1")).toBe(false);
});
