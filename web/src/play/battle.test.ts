import { describe, expect, it } from "vitest";
import type { News, View } from "../api/types";
import { battleIn, battlesSince } from "./battle";
import { lastMoveOf } from "./last-move";

const fight: News = {
  number: 9,
  text: "Your Scout on e2 attacks e7: Marshal. Your Scout is lost.",
  events: [
    { what: "attack", turn: 6, side: "south", piece: "g2", origin: "e2", target: "e7" },
    { what: "shown", turn: 6, side: "north", piece: "e7", origin: "e7", kind: "marshal" },
    { what: "shown", turn: 6, side: "south", piece: "g2", origin: "e2", kind: "scout" },
    { what: "removed", turn: 6, side: "south", piece: "g2", origin: "e2" },
  ],
};
const step: News = {
  number: 10,
  text: "An enemy piece moves from b7 to b6.",
  events: [{ what: "move", turn: 7, side: "north", piece: "b7", origin: "b7", target: "b6" }],
};

describe("the battle card", () => {
  it("shows the attacker first and who is lost", () => {
    expect(battleIn(fight)?.fighters).toEqual([
      { piece: "g2", side: "south", kind: "scout", isLost: true, isAttacker: true },
      { piece: "e7", side: "north", kind: "marshal", isLost: false, isAttacker: false },
    ]);
  });

  it("shows what is taken without a fight", () => {
    const purge: News = {
      number: 11,
      text: "Your Frodo moves from b5 to c5. The enemy Orc is captured.",
      events: [
        { what: "move", turn: 8, side: "south", piece: "b2", origin: "b5", target: "c5" },
        { what: "removed", turn: 8, side: "north", piece: "a9", origin: "a9", kind: "orc" },
      ],
    };
    expect(battleIn(purge)?.fighters).toEqual([
      { piece: "a9", side: "north", kind: "orc", isLost: true, isAttacker: false },
    ]);
  });

  it("has crossed swords for a fight and an eye for a look", () => {
    const look: News = {
      number: 12,
      text: "Your Saruman on i5 looks at h7: Rider of Rohan.",
      events: [
        { what: "detect", turn: 9, side: "south", piece: "i1", origin: "i5", target: "h7" },
        { what: "shown", turn: 9, side: "north", piece: "h7", origin: "h7", kind: "rider" },
      ],
    };
    expect(battleIn(fight)?.sign).toBe("swords");
    expect(battleIn(look)?.sign).toBe("eye");
  });

  it("stays until the viewer's next move: battles since a number", () => {
    expect(battlesSince([fight, step], 9)).toHaveLength(1);
    expect(battlesSince([fight, step], 10)).toHaveLength(0);
    expect(battleIn(step)).toBeNull();
  });
});

describe("the last move", () => {
  it("has a dot where it began and a frame where it ended", () => {
    const trace = lastMoveOf({
      last_turn: [...(fight.events ?? []), ...(step.events ?? [])],
    } as unknown as View);
    expect(trace.arrows).toEqual([{ from: "b7", to: "b6" }]);
    expect(trace.marks).toEqual({ b7: { origin: true }, b6: { frame: true } });
  });
});
