import { describe, expect, it, vi } from "vitest";
import type { Choice, MatchSnapshot } from "../api/types";
import type { MatchStore } from "./match-store.svelte";
import { ActionPicker } from "./action-picker.svelte";

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

function turnWith(
  choices: Choice[],
  prompt: { ask: string } | null = null,
  mustConfirm = false,
  viewer = "south",
) {
  const act = vi.fn().mockResolvedValue(true);
  const pieces = [{ cell: "d4" }, { cell: "e4" }, { cell: "b1", side: "south" }];
  const snapshot = { choices, viewer, view: { prompt, pieces } } as unknown as MatchSnapshot;
  const match = { isMyTurn: true, snapshot, playChoice: act } as unknown as MatchStore;
  return {
    picker: new ActionPicker(
      match,
      () => new Map(),
      () => mustConfirm,
    ),
    act,
  };
}

describe("a plain move", () => {
  const step = choice({ origin: "d4", target: "d5" });
  const strike = choice({ origin: "d4", target: "e4", verb: "attack", is_attack: true });

  it("is a piece, then a square", () => {
    const { picker, act } = turnWith([step, strike]);
    picker.pick("d4");
    expect(picker.marks["d5"]).toMatchObject({ dot: true });
    expect(picker.marks["e4"]).toMatchObject({ ring: true });
    picker.pick("e4");
    expect(act).toHaveBeenCalledWith(strike);
    expect(picker.selected).toBe("");
  });

  it("onto another own piece exchanges the two, and does not cover it with a dot", () => {
    const { picker } = turnWith([choice({ origin: "d4", target: "b1" })]);
    picker.pick("d4");
    expect(picker.marks["b1"]).toEqual({ double: true });
  });

  it("shades the lane of a long run", () => {
    const { picker } = turnWith([choice({ origin: "a1", target: "a4" })]);
    picker.pick("a1");
    expect(Object.keys(picker.marks).filter((square) => picker.marks[square]?.lane)).toEqual(["a2", "a3"]);
  });

  it("elsewhere is left to the referee to explain", () => {
    const { picker, act } = turnWith([step]);
    picker.pick("d4");
    expect(picker.pick("h8")).toBe("illegal");
    expect(act).not.toHaveBeenCalled();
  });

  it("of a piece that has none is left to the referee to explain", () => {
    const { picker, act } = turnWith([step]);
    expect(picker.pick("b1")).toBe("stuck");
    expect(picker.pick("h8")).toBe("nothing");
    expect([picker.selected, act.mock.calls]).toEqual(["", []]);
  });

  it("is only proposed where moves must be confirmed", () => {
    const { picker, act } = turnWith([step], null, true);
    picker.pick("d4");
    picker.pick("d5");
    expect(act).not.toHaveBeenCalled();
    expect(picker.proposed).toBe(step);
    picker.play(step);
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

  it("asks for the square it acts from, then for the target", () => {
    const { picker, act } = turnWith(choices);
    picker.pick("c3");
    const [special] = picker.specials;
    picker.begin(special?.key ?? "");
    expect(picker.needsStand).toBe(true);
    expect(picker.items.map((item) => item.square)).toEqual(["c3", "c4"]);
    picker.pick("c4");
    expect(picker.items.map((item) => item.square)).toEqual(["c5", "d4"]);
    picker.chooseNumber(2);
    expect(act).toHaveBeenCalledWith(choices[3]);
  });

  it("shows whom each square to act from would hit, once each, before a square is chosen", () => {
    const sweep = (stands: string, fate?: "captured") =>
      choice({
        origin: "c3",
        verb: "sweep",
        power: "rampage",
        stands,
        target: stands,
        preview: { hits: [{ square: "d5", ...(fate && { fate }) }] },
      });
    const { picker } = turnWith([sweep("c4"), sweep("d4", "captured")]);
    picker.pick("c3");
    picker.begin(picker.specials[0]?.key ?? "");
    expect(picker.needsStand).toBe(true);
    expect(picker.drawing).toMatchObject({ isFaint: true, hits: [{ square: "d5", isOwn: false, fate: "" }] });
  });

  it("is undone one step at a time", () => {
    const { picker } = turnWith(choices);
    picker.pick("c3");
    picker.begin(picker.specials[0]?.key ?? "");
    picker.pick("c4");
    picker.reading = picker.special;
    expect([picker.back(), picker.reading]).toEqual([true, ""]);
    expect([picker.back(), picker.stand]).toEqual([true, ""]);
    expect([picker.back(), picker.special]).toEqual([true, ""]);
    expect([picker.back(), picker.selected]).toEqual([true, ""]);
    expect(picker.back()).toBe(false);
  });

  it("of the whole army needs no selected piece", () => {
    const north = choice({ verb: "advance", power: "charge", target: "north", words: "Advance north." });
    const { picker, act } = turnWith([north]);
    picker.begin(picker.specials[0]?.key ?? "");
    expect(picker.items).toMatchObject([{ words: "Advance north.", square: "" }]);
    picker.chooseNumber(1);
    expect(act).toHaveBeenCalledWith(north);
  });
});

describe("a prompt", () => {
  it("selects the only piece that can continue, and lists the end of the picker last", () => {
    const again = choice({ origin: "c3", target: "c2", verb: "attack", is_attack: true });
    const done = choice({ verb: "done", words: "End the picker here." });
    const { picker } = turnWith([done, again], { ask: "attack again" });
    picker.refresh();
    expect(picker.selected).toBe("c3");
    expect(picker.items.at(-1)?.words).toBe("End the picker here.");
    expect(picker.back()).toBe(false);
  });

  it("for a square marks every answer with its number", () => {
    const { picker, act } = turnWith(
      ["f1", "g2"].map((target) => choice({ verb: "choose square", target })),
      { ask: "next" },
    );
    expect(picker.marks).toMatchObject({ f1: { double: true, number: 1 }, g2: { double: true, number: 2 } });
    picker.pick("g2");
    expect(act).toHaveBeenCalledOnce();
  });
});

describe("what a power would do", () => {
  const shot = choice({
    origin: "c3",
    target: "c5",
    verb: "shoot",
    is_attack: true,
    preview: { hits: [{ square: "c5" }] },
  });
  const other = choice({ origin: "c3", target: "d5", verb: "shoot", preview: { hits: [{ square: "d5" }] } });
  const begun = (choices: Choice[], viewer?: string) => {
    const turn = turnWith(choices, null, false, viewer);
    if (choices[0]?.origin) turn.picker.pick(choices[0].origin);
    turn.picker.begin(turn.picker.specials[0]?.key ?? "");
    return turn;
  };

  it("is drawn for the target under the pointer, and lightly for all of them before", () => {
    const { picker } = begun([shot, other]);
    expect(picker.drawing).toMatchObject({ isFaint: true, hits: [] });
    expect(picker.drawing?.lines).toHaveLength(2);
    picker.pointed = "d5";
    expect(picker.drawing).toMatchObject({
      isFaint: false,
      lines: [{ squares: ["c3", "d5"], line: "shot" }],
      hits: [{ square: "d5", isOwn: false, fate: "" }],
    });
    expect(picker.marks["d5"]).toMatchObject({ hit: true, number: 2 });
    picker.pointed = String(shot.action);
    expect(picker.drawing?.hits).toMatchObject([{ square: "c5" }]);
  });

  it("is asked about once, if own pieces are lost", () => {
    const question = "This also hits your own Captain on d4. Do it?";
    const strike = choice({ origin: "c3", target: "c4", verb: "sweep", preview: { question } });
    const { picker, act } = begun([strike]);
    picker.pick("c4");
    expect(picker.proposed).toBe(strike);
    picker.pick("c4");
    expect(act, "a second click on the board is no answer").not.toHaveBeenCalled();
    expect(picker.back()).toBe(true);
    expect(picker.active, "choose again").toBeDefined();
    picker.chooseNumber(1);
    picker.play(strike);
    expect(act).toHaveBeenCalledOnce();
  });

  it("is asked about in an open turn, too", () => {
    const next = choice({ verb: "choose square", target: "d4", preview: { question: "Do it?" } });
    const { picker } = turnWith([next], { ask: "next" });
    picker.pick("d4");
    picker.refresh();
    expect(picker.proposed).toBe(next);
  });

  it("is shown before a touch plays it, and a second touch plays it", () => {
    const { picker, act } = begun([shot, other]);
    picker.isTouch = true;
    picker.pick("c5");
    expect(act).not.toHaveBeenCalled();
    picker.pick("d5");
    expect(picker.proposed).toBe(other);
    picker.pick("d5");
    expect(act).toHaveBeenCalledWith(other);
  });

  it("goes where the arrow points on the screen, also on a turned board", () => {
    const [north, east] = ["north", "east"].map((target) => choice({ verb: "advance", target }));
    const south = begun([north as Choice, east as Choice]);
    expect(south.picker.items.map((item) => item.direction?.arrow)).toEqual(["↑", "→"]);
    expect(south.picker.chooseArrow("ArrowUp")).toBe(true);
    expect(south.picker.proposed).toBe(north);
    const turned = begun([north as Choice, east as Choice], "north");
    expect(turned.picker.items.map((item) => item.direction?.words)).toEqual([
      "down the board",
      "to the left",
    ]);
    expect(turned.picker.chooseArrow("ArrowUp")).toBe(false);
    expect(turned.picker.chooseArrow("ArrowLeft")).toBe(true);
    expect(turned.picker.proposed).toBe(east);
  });
});
