import { describe, expect, it } from "vitest";
import type { Choice, GameInfo, MatchSnapshot } from "../api/types";
import { PieceSet } from "../board/pieces";
import { parseCommand } from "./command-input";

const side = (name: string) => ({ name, count: 1, icon: "", card: "" });
const game = {
  armies: [],
  board: { zones: ["c5"], zone_word: "Lake" },
  kinds: [{ id: "major", label: "7", south: side("Major"), north: side("Major"), powers: [] }],
  limits: { max_note_length: 12 },
} as unknown as GameInfo;
const go = { origin: "d4", target: "d5", verb: "move", text: "d4-d5", kind: "" } as unknown as Choice;
const state = {
  choices: [go],
  viewer: "south",
  to_move: "south",
  notes: {},
  view: {
    pieces: [
      { name: "d7", cell: "d6", side: "north", moved: true },
      { name: "a4", cell: "a4", side: "south", kind: "major" },
    ],
    tray: [],
  },
} as unknown as MatchSnapshot;
const read = (text: string) => parseCommand(text, state, new PieceSet(game), "An enemy piece moves.");

describe("the command box", () => {
  it("plays a move in any spelling", () => {
    for (const text of ["d4d5", "d4 d5", "D4-D5", " d4  d5 "])
      expect(read(text)).toEqual({ do: "play", choice: go });
  });

  it("leaves it to the referee to explain what is not offered", () => {
    expect(read("d4 e5")).toEqual({ do: "notation", text: "d4-e5" });
    expect(read("d4 d6")).toEqual({ do: "notation", text: "d4xd6" });
    expect(read("d4 a4")).toEqual({ do: "notation", text: "d4-a4" });
    expect(read("nonsense")).toEqual({ do: "notation", text: "nonsense" });
  });

  it("answers who, last and tray from what the viewer knows", () => {
    expect(read("who d6")).toEqual({ do: "answer", text: "d6, enemy, unknown, has moved." });
    expect(read("who c5")).toEqual({ do: "answer", text: "c5, Lake." });
    expect(read("last")).toEqual({ do: "answer", text: "An enemy piece moves." });
    expect(read("tray")).toMatchObject({ do: "answer" });
  });

  it("turns a guess into a note on the piece", () => {
    expect(read("guess d6 major")).toEqual({ do: "note", piece: "d7", text: "7" });
    expect(read("note d6 perhaps a bomb")).toEqual({ do: "note", piece: "d7", text: "perhaps a bo" });
    expect(read("guess a1 major")).toMatchObject({ do: "answer" });
  });
});
