import { describe, expect, it } from "vitest";
import type { MatchSnapshot, Summary, View } from "../api/types";
import { celebratedSide, headlineOf, kindWords, moodOf, openView } from "./ending";

const over = (fields: Partial<MatchSnapshot>): MatchSnapshot =>
  ({
    viewer: "south",
    yours: ["south"],
    is_open: true,
    result: { winner: "south", reason: "flag captured" },
    seats: { south: { name: "Anna" }, north: { name: "Ben" } },
    ...fields,
  }) as MatchSnapshot;

describe("the end of a game", () => {
  const lost = over({ viewer: "north", yours: ["north"] });
  const drawn = over({ result: { winner: "", reason: "agreed" } });
  const off = over({ is_open: false, result: { winner: "", reason: "aborted" } });
  const hotSeat = over({ viewer: "north", yours: ["south", "north"] });
  const watched = over({ viewer: "watcher", yours: [] });

  it("means something else to the winner, the loser and all others", () => {
    expect([over({}), lost, drawn, off, hotSeat, watched].map(moodOf)).toEqual([
      "won",
      "lost",
      "drawn",
      "off",
      "decided",
      "decided",
    ]);
  });

  it("is celebrated with the winner, never with the loser", () => {
    expect([over({}), lost, drawn, off, hotSeat].map(celebratedSide)).toEqual([
      "south",
      null,
      null,
      null,
      "south",
    ]);
  });

  it("names the winner to two players at one device", () => {
    expect(headlineOf(hotSeat)).toBe("Anna wins!");
    expect(headlineOf(lost)).toBe("Well fought!");
  });

  it("calls a computer player by its level", () => {
    const seats = { south: { name: "Computer (Recruit)" }, north: { name: "Ben" } };
    expect(headlineOf({ ...watched, seats } as MatchSnapshot)).toBe("Recruit wins!");
  });

  it("is kind to the loser, whatever the reason", () => {
    for (const reason of ["flag captured", "resigned", "time", "a new reason"])
      expect(kindWords({ ...lost, result: { winner: "south", reason } })).not.toBe("");
  });
});

describe("the open board", () => {
  it("shows every piece as the summary tells", () => {
    const view = {
      pieces: [
        { name: "a3", cell: "a2", side: "north", possible: ["spy", "flag"] },
        { name: "c1", cell: "c1", side: "south", kind: "flag" },
      ],
      tray: [],
    } as unknown as View;
    const summary = { pieces: { a2: "spy", c1: "flag" }, tray: [{ side: "north", kind: "marshal" }] };
    const open = openView(view, summary as unknown as Summary);
    expect(open.pieces.map(({ kind }) => kind)).toEqual(["spy", "flag"]);
    expect(open.pieces[0]?.possible).toEqual([]);
    expect(open.tray).toEqual([{ side: "north", kind: "marshal" }]);
    expect(view.pieces[0]?.kind).toBeUndefined();
  });
});
