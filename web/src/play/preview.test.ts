import { describe, expect, it } from "vitest";
import type { Choice, Preview } from "../api/types";
import { countHits, describePreview, drawChoices } from "./preview";

const choice = (verb: Choice["verb"], preview: Preview): Choice =>
  ({ verb, origin: "c3", target: "c4", stands: "", preview }) as Choice;
const names = (squares: readonly string[]): string => squares.join("+");
const mine = (squares: readonly string[]): string => `your ${names(squares)}`;

describe("a preview in words", () => {
  it("counts the enemies that a square brings within reach, each once and no friends", () => {
    const near = choice("sweep", {
      hits: [{ square: "d5" }, { square: "c5" }, { square: "b4", is_own: true }],
    });
    expect(countHits([near])).toBe("hits 2");
    expect(countHits([near, choice("shoot", { hits: [{ square: "d5" }] })])).toBe("2 targets");
    expect(countHits([choice("sweep", { hits: [] })])).toBe("");
  });

  it("tells what is certain, and who is hit where it is not", () => {
    const hits = [{ square: "d5" }, { square: "b5", fate: "captured" as const }, { square: "c5" }];
    expect(describePreview(choice("sweep", { hits }), names)).toBe("Hits c5+d5. Captures b5.");
    expect(describePreview(choice("convert", { hits: [{ square: "e5", fate: "converted" }] }), names)).toBe(
      "Brings e5 to your side.",
    );
    expect(describePreview(choice("shoot", { hits: [{ square: "e5", fate: "safe" }] }), names)).toBe(
      "Does no harm to e5.",
    );
  });

  it("leaves own pieces to the question", () => {
    const hits = [{ square: "c3", is_own: true, fate: "captured" as const }];
    expect(describePreview(choice("sweep", { hits, question: "Do it?" }), names)).toBe("");
  });

  it("tells that the piece itself would be lost", () => {
    const ways = [{ squares: ["c3", "c4"] }];
    const loss: Preview = { ways, hits: [{ square: "c4", fate: "safe" }], is_lost: true };
    expect(describePreview(choice("attack", loss), mine)).toBe("Your c3 would be lost.");
    const asked = choice("two-step", { ...loss, question: "Do it?" });
    expect(describePreview(asked, mine)).toBe("Your c3 would be lost.");
    expect(describePreview(asked, mine, "c3", true)).toBe("");
    const tie: Preview = { ways, hits: [{ square: "c4", fate: "captured" }], is_lost: true };
    expect(describePreview(choice("attack", tie), mine)).toBe("Both would be lost.");
    expect(describePreview(choice("choose square", loss), mine, "b4")).toBe("Your b4 would be lost.");
  });

  it("tells that a strike costs the striker too", () => {
    const strike: Preview = {
      ways: [{ squares: ["c3", "c4"] }],
      hits: [{ square: "c5", fate: "captured" }],
      is_lost: true,
    };
    expect(describePreview(choice("sweep", strike), mine)).toBe("Captures your c5. Your c3 would be lost.");
    const swing: Preview = { hits: [{ square: "c5", fate: "safe" }], is_lost: true };
    expect(describePreview(choice("done", swing), mine, "c4")).toBe(
      "Does no harm to your c5. Your c4 would be lost.",
    );
  });

  it("does not call an enemy that beats a group unharmed", () => {
    const hits = [{ square: "b5", fate: "safe" as const }];
    expect(describePreview(choice("advance", { hits }), names)).toBe("Cannot beat b5.");
  });

  it("tells what comes next", () => {
    expect(describePreview(choice("attack", { then: ["c5", "d4"] }), names)).toBe(
      "After that it may attack c5 or d4.",
    );
    expect(describePreview(choice("swing", { then: ["c5"] }), names)).toBe("Then strike c5.");
  });
});

describe("a preview as a drawing", () => {
  it("has a way for every piece and a line for every shot", () => {
    const march = choice("advance", {
      ways: [{ squares: ["a3", "a4"] }, { squares: ["j3"], is_lost: true }],
    });
    expect(drawChoices([march]).lines).toEqual([
      { squares: ["a3", "a4"], line: "walk", isLost: false },
      { squares: ["j3"], line: "walk", isLost: true },
    ]);
    expect(drawChoices([choice("detect", {})]).lines).toEqual([
      { squares: ["c3", "c4"], line: "shot", isLost: false },
    ]);
    expect(drawChoices([choice("leap", { ways: [{ squares: ["c3", "c4"] }] })]).lines[0]?.line).toBe("arc");
  });
});
