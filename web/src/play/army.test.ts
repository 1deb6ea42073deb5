import type { GameInfo, TrayPiece } from "../api/types";
import { PieceSet } from "../board/pieces";
import { capturedKinds, matchesSearch, kindsInArmy, describeFights } from "./army";

const kind = (id: string, label: string, south: number, north: number, powers: object[] = []): object => ({
  id,
  label,
  text: `About the ${id}.`,
  powers,
  south: { name: `Our ${id}`, count: south },
  north: { name: `Their ${id}`, count: north },
});

const game = {
  armies: [],
  low_is_strong: false,
  kinds: [
    kind("king", "10", 1, 1),
    kind("bishop", "9", 1, 1, [{ id: "bless", name: "Blessing", text: "A piece comes back." }]),
    kind("monk", "3", 1, 1),
    kind("nun", "3", 0, 1),
    kind("pit", "B", 1, 1),
    kind("flag", "F", 1, 1),
  ],
  fights: [
    {
      side: "south",
      attacker: "king",
      beats: ["bishop", "monk", "nun", "thief", "flag"],
      ties: ["king"],
      loses_to: ["pit"],
    },
    { side: "south", attacker: "monk", beats: ["pit", "flag"], ties: [], loses_to: ["king", "bishop"] },
  ],
} as unknown as GameInfo;
const pieceSet = new PieceSet(game);

test("the largest group is “all others”, the rest have their enemy names", () => {
  expect(describeFights(game, pieceSet, "king", "south")).toEqual([
    "Ties with Their king.",
    "Loses to Their pit.",
    "Beats all others.",
  ]);
});

test("small groups are named", () => {
  expect(describeFights(game, pieceSet, "monk", "south")).toEqual([
    "Beats Their pit and Their flag.",
    "Loses to Their king and Their bishop.",
  ]);
});

test("a piece that never attacks has no text", () => {
  expect(describeFights(game, pieceSet, "pit", "south")).toEqual([]);
});

test("an army lists only its own pieces", () => {
  expect(kindsInArmy(game, "south").map((one) => one.id)).toEqual(["king", "bishop", "monk", "pit", "flag"]);
  expect(kindsInArmy(game, "north")).toHaveLength(6);
});

test("a search finds names, numbers and powers", () => {
  const found = (words: string): string[] =>
    kindsInArmy(game, "south")
      .filter((one) => matchesSearch(one, "south", words))
      .map((one) => one.id);
  expect(found("bless")).toEqual(["bishop"]);
  expect(found("10")).toEqual(["king"]);
  expect(found("our mo")).toEqual(["monk"]);
  expect(found("  ")).toHaveLength(5);
});

test("captured pieces come strongest first, also where number 1 is the strongest", () => {
  const ranked = (id: string, label: string, rank: number): object => ({ ...kind(id, label, 1, 1), rank });
  const kinds = [ranked("scout", "9", 2), ranked("marshal", "1", 10), ranked("flag", "F", 0)];
  const onyx = new PieceSet({ armies: [], low_is_strong: true, kinds } as unknown as GameInfo);
  const tray = ["scout", "flag", "marshal", "scout", ""].map((one) => ({ side: "north", kind: one }));
  expect(capturedKinds(tray as TrayPiece[], "north", onyx)).toEqual([
    ["marshal", 1],
    ["scout", 2],
    ["flag", 1],
    ["", 1],
  ]);
  expect(capturedKinds(tray as TrayPiece[], "south", onyx)).toEqual([]);
});
