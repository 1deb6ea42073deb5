import { describe, expect, it } from "vitest";
import { pathOf, readFilters, statisticsQuery } from "./filters";
import { countBars, dateColumns, durationText, resultBars } from "./plots";

describe("the filters of my games", () => {
  it("are read from the address and written into it", () => {
    const filters = { game: "onyx/classic", opponent: "recruit", result: "won", period: "30", page: 3 };
    expect(readFilters(new URL(pathOf(filters), "http://x").search)).toEqual(filters);
    expect(pathOf(filters, "statistics")).toContain("?show=statistics&game=");
    expect(pathOf({ game: "", page: 1 })).toBe("/my-games");
  });

  it("ignore what no list has", () => {
    const none = { game: "", opponent: "", result: "", period: "", page: 1 };
    expect(readFilters("?result=stolen&page=-2&period=8")).toEqual(none);
    expect(readFilters("?page=1.5").page).toBe(1);
    expect(readFilters(`?game=${"x".repeat(200)}`).game).toHaveLength(80);
  });
});

describe("what is asked for statistics", () => {
  const none = { game: "", opponent: "", result: "", period: "", page: 1 };
  const now = new Date(2026, 10, 18, 21, 5);

  it("leaves out what is not chosen, and results that only the list has", () => {
    const zone = -now.getTimezoneOffset();
    expect(statisticsQuery({ ...none, result: "running", page: 4 }, now)).toEqual({ zone });
    expect(statisticsQuery({ ...none, game: "onyx", result: "lost" }, now)).toEqual({
      game: "onyx",
      result: "lost",
      zone,
    });
  });

  it("counts a period in whole days, today included", () => {
    const since = new Date(2026, 10, 12).getTime();
    expect(statisticsQuery({ ...none, period: "7" }, now)).toMatchObject({ since_ms: since });
  });
});

describe("the plots of my games", () => {
  it("draw a column for each date, also for one without games", () => {
    const columns = dateColumns(
      [
        { start: "2026-11-16", won: 1, lost: 3, drawn: 0 },
        { start: "2026-11-17", won: 0, lost: 0, drawn: 0 },
      ],
      "day",
    );
    expect(columns.map(({ label, text }) => [label, text])).toEqual([
      ["16 Nov", "1 won, 3 lost"],
      ["17 Nov", ""],
    ]);
    expect(columns[0]?.segments.map(({ start, length }) => [start, length])).toEqual([
      [0, 25],
      [25, 75],
    ]);
    expect(dateColumns([{ start: "2026-01-01", won: 1, lost: 0, drawn: 0 }], "year")[0]?.label).toBe("2026");
  });

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
