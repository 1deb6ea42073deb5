import { describe, expect, it } from "vitest";
import { pathOf, readFilters } from "./filters";
import { countBars, durationText, resultBars } from "./plots";

describe("the filters of my games", () => {
  it("are read from the address and written into it", () => {
    const filters = { game: "onyx/classic", opponent: "recruit", result: "won", page: 3 };
    expect(readFilters(new URL(pathOf(filters), "http://x").search)).toEqual(filters);
    expect(pathOf({ game: "", page: 1 })).toBe("/my-games");
  });

  it("ignore what no list has", () => {
    expect(readFilters("?result=stolen&page=-2")).toEqual({ game: "", opponent: "", result: "", page: 1 });
    expect(readFilters("?page=1.5").page).toBe(1);
    expect(readFilters(`?game=${"x".repeat(200)}`).game).toHaveLength(80);
  });
});

describe("the plots of my games", () => {
  it("draw results in proportion to the longest bar", () => {
    const bars = resultBars([
      { id: "recruit", name: "Recruit", won: 5, lost: 3, drawn: 2 },
      { id: "people", name: "People", won: 0, lost: 5, drawn: 0 },
    ]);
    expect(bars[0]?.segments).toEqual([
      { kind: "won", value: 5, start: 0, length: 50 },
      { kind: "drawn", value: 2, start: 50, length: 20 },
      { kind: "lost", value: 3, start: 70, length: 30 },
    ]);
    expect(bars[0]?.text).toBe("5 won, 2 drawn, 3 lost");
    expect(bars[1]?.segments).toEqual([{ kind: "lost", value: 5, start: 0, length: 50 }]);
    expect(bars[1]?.text).toBe("5 lost");
  });

  it("draw counts, and nothing when there are none", () => {
    expect(countBars([])).toEqual([]);
    const bars = countBars([
      { name: "Scout", count: 1200 },
      { name: "Spy", count: 300 },
    ]);
    expect(bars.map((bar) => [bar.text, bar.segments[0]?.length])).toEqual([
      ["1,200", 100],
      ["300", 25],
    ]);
  });

  it("say how long something took", () => {
    expect(durationText(20_000)).toBe("less than a minute");
    expect(durationText(60_000)).toBe("1 minute");
    expect(durationText(3_660_000)).toBe("1 hour 1 minute");
    expect(durationText(7_200_000)).toBe("2 hours");
    expect(durationText(100 * 3_600_000)).toBe("100 hours");
  });
});
