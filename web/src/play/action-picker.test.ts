import { describe, expect, it, vi } from "vitest";
import type { Choice, State } from "../api/types";
import type { Table } from "./match-store.svelte";
import { Turn } from "./action-picker.svelte";

const choice = (fields: Partial<Choice>): Choice => ({
  action: Math.floor(Math.random() * 1e9),
  text: "",
  verb: "move",
  origin: "",
  target: "",
  stands: "",
  kind: "",
  power: "",
  is_attack: false,
  is_likely: true,
  words: "",
  ...fields,
});

function turnWith(choices: Choice[], prompt: { ask: string } | null = null, asksFirst = false) {
  const act = vi.fn().mockResolvedValue(true);
  const state = { choices, view: { prompt } } as unknown as State;
  const table = { isOurTurn: true, state, act } as unknown as Table;
  return {
    turn: new Turn(
      table,
      () => new Map(),
      () => asksFirst,
    ),
    act,
  };
}

describe("a plain move", () => {
  const step = choice({ origin: "d4", target: "d5" });
  const strike = choice({ origin: "d4", target: "e4", verb: "attack", is_attack: true });

  it("is a piece, then a square", () => {
    const { turn, act } = turnWith([step, strike]);
    turn.pick("d4");
    expect(turn.marks["d5"]).toMatchObject({ dot: true });
    expect(turn.marks["e4"]).toMatchObject({ ring: true });
    turn.pick("e4");
    expect(act).toHaveBeenCalledWith(strike);
    expect(turn.selected).toBe("");
  });

  it("shades the lane of a long run", () => {
    const { turn } = turnWith([choice({ origin: "a1", target: "a4" })]);
    turn.pick("a1");
    expect(Object.keys(turn.marks).filter((square) => turn.marks[square]?.lane)).toEqual(["a2", "a3"]);
  });

  it("elsewhere is a question to the referee", () => {
    const { turn, act } = turnWith([step]);
    turn.pick("d4");
    expect(turn.pick("h8")).toBe("ask-referee");
    expect(act).not.toHaveBeenCalled();
  });

  it("waits for a second look where the person wants to be asked", () => {
    const { turn, act } = turnWith([step], null, true);
    turn.pick("d4");
    turn.pick("d5");
    expect(act).not.toHaveBeenCalled();
    expect(turn.proposed).toBe(step);
    turn.play(step);
    expect(act).toHaveBeenCalledWith(step);
  });
});

describe("a power", () => {
  const over = (stands: string, target: string) =>
    choice({ origin: "c3", verb: "spot", power: "spotting", stands, target });
  const choices = [
    choice({ origin: "c3", target: "c4" }),
    over("", "d3"),
    over("c4", "c5"),
    over("c4", "d4"),
  ];

  it("asks where the piece stands, then for the target", () => {
    const { turn, act } = turnWith(choices);
    turn.pick("c3");
    const [special] = turn.specials;
    turn.begin(special?.key ?? "");
    expect(turn.asksStand).toBe(true);
    expect(turn.items.map((item) => item.square)).toEqual(["c3", "c4"]);
    turn.pick("c4");
    expect(turn.items.map((item) => item.square)).toEqual(["c5", "d4"]);
    turn.number(2);
    expect(act).toHaveBeenCalledWith(choices[3]);
  });

  it("is taken back one step at a time", () => {
    const { turn } = turnWith(choices);
    turn.pick("c3");
    turn.begin(turn.specials[0]?.key ?? "");
    turn.pick("c4");
    expect([turn.back(), turn.stand]).toEqual([true, ""]);
    expect([turn.back(), turn.special]).toEqual([true, ""]);
    expect([turn.back(), turn.selected]).toEqual([true, ""]);
    expect(turn.back()).toBe(false);
  });

  it("of the whole army needs no piece", () => {
    const north = choice({ verb: "advance", power: "charge", target: "north", words: "Advance north." });
    const { turn, act } = turnWith([north]);
    turn.begin(turn.specials[0]?.key ?? "");
    expect(turn.items).toMatchObject([{ words: "Advance north.", square: "" }]);
    turn.number(1);
    expect(act).toHaveBeenCalledWith(north);
  });
});

describe("an open question", () => {
  it("selects the only piece that can go on, and lists the end of the turn last", () => {
    const again = choice({ origin: "c3", target: "c2", verb: "attack", is_attack: true });
    const done = choice({ verb: "done", words: "End the turn here." });
    const { turn } = turnWith([done, again], { ask: "attack again" });
    turn.settle();
    expect(turn.selected).toBe("c3");
    expect(turn.items.at(-1)?.words).toBe("End the turn here.");
    expect(turn.back()).toBe(false);
  });

  it("for a square rings every answer with its number", () => {
    const { turn, act } = turnWith(
      ["f1", "g2"].map((target) => choice({ verb: "choose square", target })),
      { ask: "next" },
    );
    expect(turn.marks).toMatchObject({ f1: { double: true, number: 1 }, g2: { double: true, number: 2 } });
    turn.pick("g2");
    expect(act).toHaveBeenCalledOnce();
  });
});
