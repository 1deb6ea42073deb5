import { describe, expect, it } from "vitest";
import { textWidth, tileLayout, type Contents, type Layout, type PieceSetName, type Rect } from "./layout";

const SETS: PieceSetName[] = ["figures", "numbers"];
const LABELS = ["1", "7", "10", "S", "St", "100", "9000", "1500", "12000", "Boss", ""];
/** the smallest piece on a phone, in pixels */
const SMALLEST = 34;

const contents = (label: string, rest: Partial<Contents> = {}): Contents => ({
  label,
  hasFigure: label !== "",
  hasNote: false,
  hasWarning: false,
  ...rest,
});

/** The parts that can be seen together: own pieces have no notes, enemy pieces no eye and no warning. */
function partsOf(layout: Layout, { hasNote, hasWarning }: Contents): Rect[] {
  const always = [...layout.label, layout.foot, ...(layout.figure ? [layout.figure] : [])];
  if (hasNote) return [...always, layout.note];
  return [...always, layout.eye, ...(hasWarning ? [layout.warning] : [])];
}

const doOverlap = (one: Rect, other: Rect): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

describe("the layout of a piece", () => {
  it.each([
    ["figures", "1", "corner"],
    ["figures", "10", "corner"],
    ["figures", "B", "corner"],
    ["figures", "9000", "plate"],
    ["numbers", "7", "numeral"],
    ["numbers", "10", "wide"],
    ["numbers", "F", "numeral"],
    ["numbers", "9000", "thousands"],
    ["numbers", "Boss", "wide"],
    ["figures", "", "back"],
    ["numbers", "", "back"],
  ] as const)("in the set %s is for “%s” the one called %s", (set, label, name) => {
    expect(tileLayout(set, contents(label)).name).toBe(name);
  });

  it("is that of the numbers for a kind without a figure", () => {
    expect(tileLayout("figures", contents("7", { hasFigure: false })).name).toBe("wide");
  });

  for (const set of SETS)
    for (const label of LABELS)
      for (const marks of [{}, { hasNote: true }, { hasWarning: true }]) {
        const given = contents(label, marks);
        const parts = partsOf(tileLayout(set, given), given);

        it(`keeps apart the parts of “${label}” in ${set} with ${JSON.stringify(marks)}`, () => {
          const overlapping = parts.flatMap((one, at) =>
            parts.slice(at + 1).filter((other) => doOverlap(one, other)),
          );
          expect(overlapping).toEqual([]);
        });

        it(`keeps “${label}” in ${set} with ${JSON.stringify(marks)} inside the tile`, () => {
          for (const { x, y, width, height } of parts) {
            expect(Math.min(x, y)).toBeGreaterThanOrEqual(4);
            expect(Math.max(x + width, y + height)).toBeLessThanOrEqual(98);
          }
        });
      }

  it.each([
    ["1", 60],
    ["10", 57],
    ["S", 60],
    ["9000", 65],
  ])("gives the figure of “%s” at least %d per cent of the tile in Figures", (label, size) => {
    const { figure } = tileLayout("figures", contents(label));
    expect(Math.min(figure?.width ?? 0, figure?.height ?? 0)).toBeGreaterThanOrEqual(size);
  });

  it.each([
    ["7", 15],
    ["S", 15],
    ["9000", 15],
    ["10", 11],
  ])("draws the figure of “%s” at least %d pixels high in Numbers on a phone", (label, pixels) => {
    const { figure } = tileLayout("numbers", contents(label));
    expect(((figure?.height ?? 0) * SMALLEST) / 100).toBeGreaterThanOrEqual(pixels);
  });

  it("keeps the figure in Numbers next to a note or a warning", () => {
    for (const marks of [{ hasNote: true }, { hasWarning: true }])
      for (const label of ["7", "9000"])
        expect(tileLayout("numbers", contents(label, marks)).figure).not.toBeNull();
  });

  it("leaves air between the rank “10” and its figure in Figures", () => {
    const { label, figure } = tileLayout("figures", contents("10"));
    const [rank] = label;
    expect((figure?.y ?? 0) - ((rank?.y ?? 0) + (rank?.height ?? 0))).toBeGreaterThanOrEqual(4);
  });

  it.each(["1", "10", "S", "9000"])("draws “%s” at least 55 per cent high in Numbers", (label) => {
    expect(tileLayout("numbers", contents(label)).label[0]?.height).toBeGreaterThanOrEqual(55);
  });

  it.each([
    ["1", 8.8],
    ["10", 8.8],
    ["S", 8.8],
    ["9000", 7],
  ])("draws the rank “%s” at least %d pixels high on a phone", (label, pixels) => {
    for (const set of SETS) {
      const rank = tileLayout(set, contents(label)).label[0];
      expect(((rank?.height ?? 0) * SMALLEST) / 100).toBeGreaterThanOrEqual(pixels);
    }
  });

  it("gives a letter about a fifth more width than a digit", () => {
    expect(textWidth("S", 56) / textWidth("7", 56)).toBeCloseTo(1.2, 1);
    expect(textWidth("7", 56)).toBeLessThan(56);
    expect(textWidth("10", 56)).toBeCloseTo(2 * textWidth("7", 56));
  });

  it("splits thousands without losing a digit", () => {
    const { label } = tileLayout("numbers", contents("12500"));
    expect(label.map((part) => part.text)).toEqual(["12", "500"]);
  });
});
