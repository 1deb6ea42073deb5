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

  test("a piece goes to a free home square", () => {
    const draft = drafted();
    expect(draft.swap("a1", "c1")).toBe(true);
    expect(draft.squares).toEqual({ c1: "flag", b1: "bomb", a2: "scout", c2: "scout" });
    expect(draft.isComplete).toBe(true);
  });

  test("nothing leaves home, and two free squares stay free", () => {
    const draft = drafted();
    expect(draft.swap("a2", "a3")).toBe(false);
    expect(draft.swap("b2", "c1")).toBe(false);
    expect(draft.swap("a1", "a1")).toBe(false);
    expect(draft.squares).toEqual(full);
    expect(draft.canUndo).toBe(false);
  });
});

describe("going back and forth", () => {
  test("every step can be taken back and done again", () => {
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

  test("a new step forgets what could have been done again", () => {
    const draft = drafted();
    draft.swap("a1", "b1");
    draft.undo();
    draft.swap("a1", "c1");
    expect(draft.canRedo).toBe(false);
  });

  test("the same setup again is no step", () => {
    const draft = drafted();
    draft.replace({ ...full });
    draft.swap("a2", "c2");
    expect(draft.canUndo).toBe(false);
  });

  test("at the end of the road nothing happens", () => {
    const draft = drafted();
    draft.undo();
    draft.redo();
    expect(draft.squares).toEqual(full);
  });
});

describe("clearing and placing", () => {
  test("a cleared board leaves the whole army in the tray, in the box's order", () => {
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

  test("pieces are placed until none is left", () => {
    const draft = drafted();
    draft.clear();
    expect(draft.place("scout", "a1")).toBe(true);
    expect(draft.place("scout", "b1")).toBe(true);
    expect(draft.place("scout", "c1")).toBe(false);
    expect(draft.place("bomb", "a3")).toBe(false);
    expect(draft.place("guest", "c1")).toBe(false);
    expect(draft.tray.map((entry) => entry.kind)).toEqual(["bomb", "flag"]);
  });

  test("a piece placed upon another sends that one to the tray", () => {
    const draft = drafted();
    draft.remove("b1");
    draft.place("bomb", "a1");
    expect(draft.squares["a1"]).toBe("bomb");
    expect(draft.tray).toEqual([{ kind: "flag", count: 1 }]);
  });

  test("nothing can be lifted from a free square", () => {
    const draft = drafted();
    expect(draft.remove("b2")).toBe(false);
    expect(draft.canUndo).toBe(false);
  });
});

test("mirroring exchanges left and right, and twice gives the first again", () => {
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
