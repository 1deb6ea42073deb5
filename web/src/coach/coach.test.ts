import { describe, expect, it, vi } from "vitest";
import { api } from "../api/http";
import type { Advice, MatchSnapshot, News } from "../api/types";
import { Coach, describeChances } from "./coach.svelte";
import { wordAfterFight } from "./praise";
import { withoutTakenBack } from "./take-back";

type SeenEvent = News["events"][number];
const news = (number: number, ...events: SeenEvent[]): News => ({ number, text: "", events });
const move = (number: number, turn: number): News => news(number, { what: "move", turn, piece: "a1" });
const back = (number: number, turn: number): News =>
  news(number, { what: "taken back", turn, side: "south" });
const sealed = news(2, { what: "sealed", turn: 0, side: "north" });
const numbers = (history: readonly News[]): number[] =>
  withoutTakenBack(history).map((entry) => entry.number);

describe("the history after taking back", () => {
  it("leaves out the turns that no longer count", () => {
    expect(numbers([sealed, move(3, 0), move(4, 1), move(5, 2), back(6, 2), move(7, 2)])).toEqual([
      2, 3, 4, 6, 7,
    ]);
  });
  it("keeps seats and setups when the first turn is taken back", () => {
    expect(numbers([sealed, move(3, 0), back(4, 0)])).toEqual([2, 4]);
  });
  it("stays as it is without", () => {
    expect(numbers([sealed, move(3, 0), move(4, 1)])).toEqual([2, 3, 4]);
  });
});

const fight = (attacker: "own" | "enemy", lost: ("own" | "enemy")[], kind: string): News => {
  const own: SeenEvent = { what: "shown", turn: 4, side: "south", piece: "a1", kind: "scout" };
  const enemy: SeenEvent = { what: "shown", turn: 4, side: "north", piece: "a9", kind };
  return news(
    9,
    { what: "attack", turn: 4, piece: attacker === "own" ? "a1" : "a9" },
    own,
    enemy,
    ...lost.map((who): SeenEvent => ({ ...(who === "own" ? own : enemy), what: "removed", kind: "" })),
  );
};
const met = news(5, { what: "shown", turn: 2, side: "north", piece: "a9", kind: "miner" });
const word = (...history: News[]): string => wordAfterFight(history, 6, "south", (kind) => kind === "bomb");

describe("the word after a fight", () => {
  it("praises", () => {
    expect(word(fight("own", ["enemy"], "miner"))).toBe("Brave attack, well done!");
    expect(word(met, fight("own", ["enemy"], "miner"))).toBe("Well spotted!");
    expect(word(fight("own", ["enemy"], "bomb"))).toBe("Well dug! The way is clear.");
    expect(word(fight("enemy", ["enemy"], "miner"))).toBe("Well held!");
  });
  it("comforts", () => {
    expect(word(fight("own", ["own"], "bomb"))).toBe("Ouch! Pieces that never move are often Bombs.");
    expect(word(met, fight("own", ["own"], "miner"))).toBe("Oh dear, you had met that one before.");
    expect(word(fight("enemy", ["own"], "miner"))).toBe("Never mind. Now you know what it is.");
    expect(word(met, fight("enemy", ["own"], "miner"))).toBe("Never mind.");
    expect(word(fight("own", ["own", "enemy"], "scout"))).toBe("A fair swap.");
  });
  it("is not said without a fight, nor twice", () => {
    expect(word(move(8, 3))).toBe("");
    expect(wordAfterFight([fight("own", ["enemy"], "miner")], 10, "south", () => false)).toBe("");
  });
});

describe("the coach", () => {
  const advice = {
    number: 7,
    choice: { origin: "a4", target: "a5", words: "Move your Scout on a4 to a5." },
    reason: "Your chance to win is about 60%.",
  } as Advice;

  it("shows an answer only while the position is the same", async () => {
    const match = {
      id: "m",
      snapshot: { match: "m", number: 7 } as MatchSnapshot,
      can: () => true,
      send: vi.fn(() => Promise.resolve(true)),
    };
    vi.spyOn(api, "hint").mockResolvedValue(advice);
    const coach = new Coach(match);
    await coach.askHint();
    expect(coach.words).toBe("Move your Scout on a4 to a5. Your chance to win is about 60%.");
    expect(coach.arrows).toEqual([{ from: "a4", to: "a5" }]);
    expect(Object.keys(coach.marks)).toEqual(["a4", "a5"]);
    await coach.takeBack();
    expect(match.send).toHaveBeenCalledWith({ do: "take-back", number: 7 });
    expect(coach.words).toBe("");
    match.snapshot = { match: "m", number: 8 } as MatchSnapshot;
    const later = new Coach(match);
    await later.askHint();
    expect(later.words).toBe("");
    expect(later.arrows).toEqual([]);
  });

  it("says the chances in words", () => {
    const kinds = [{ kind: "miner", name: "Miner", percent: 62 }];
    expect(describeChances({ number: 7, square: "d6", kinds, others_percent: 38 })).toBe(
      "On d6: Miner 62%, others 38%.",
    );
  });
});
