import { expect, test } from "vitest";
import { applyChange } from "./change";
import type { Change, MatchSnapshot } from "./types";

const piece = (cell: string, kind = "") => ({ name: cell, cell, side: "south" as const, kind });

test("a change moves pieces, takes them away and replaces fields", () => {
  const before = {
    what: "state",
    number: 4,
    turn: 1,
    game: "onyx/classic",
    view: { turn: 1, pieces: [piece("a1"), piece("b2"), piece("c3")], tray: [] },
  } as unknown as MatchSnapshot;
  const change = {
    what: "change",
    number: 5,
    state: { number: 5, turn: 2 },
    view: { turn: 2 },
    squares: { b2: null, b3: piece("b3", "scout"), a1: piece("a1", "flag") },
  } as unknown as Change;
  const after = applyChange(before, change);
  expect(after.number).toBe(5);
  expect(after.game).toBe("onyx/classic");
  expect(after.view?.turn).toBe(2);
  expect(after.view?.pieces.map(({ cell, kind }) => `${cell} ${kind}`.trim())).toEqual([
    "a1 flag",
    "b3 scout",
    "c3",
  ]);
  expect(before.view?.pieces).toHaveLength(3);
});
