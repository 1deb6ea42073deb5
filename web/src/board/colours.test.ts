import { describe, expect, it } from "vitest";
import boxes from "../boxes.css?raw";
import theme from "../theme.css?raw";
import { contrast, textColourOn } from "./colours";
import tile from "./Tile.svelte?raw";

const BOXES = import.meta.glob<string>(
  [
    "../../../src/flagfall/edition/data/*.toml",
    "../../../src/flagfall/edition/data/new-box.template",
    "../../../examples/harbour.toml",
  ],
  { query: "?raw", import: "default", eager: true },
);

type Theme = "light" | "dark";
const THEMES: Theme[] = ["light", "dark"];
/** the lines of a hatched back cover a third of it */
const HATCHED = 1 / 3;

/** The values of a property in the rules with this selector, as they are in a theme. */
function valuesIn(css: string, selector: string, name: string, shown: Theme): string[] {
  const rules = css.split("}").filter((rule) => rule.split("{").at(-2)?.includes(selector));
  return rules.flatMap((rule) =>
    [...rule.matchAll(new RegExp(`${name}:\\s*([^;]+);`, "g"))].map(([, value = ""]) => {
      const [, light, dark] = /light-dark\((#\w+), (#\w+)\)/.exec(value) ?? [undefined, value, value];
      return (shown === "light" ? light : dark) ?? "";
    }),
  );
}

/** The colours of the squares of a box; the rules of the theme are those for boxes without their own. */
function squaresOf(box: string, name: Theme): string[] {
  const own = ["--square", "--square-2"].flatMap((square) =>
    valuesIn(boxes, `[data-box="${box}"]`, square, name),
  );
  if (own.length) return own;
  const selector = name === "light" ? ":root {" : ':root[data-theme="dark"]';
  const css = name === "light" ? theme.slice(0, theme.indexOf("@media")) : theme;
  return ["--square", "--square-2"].flatMap((square) =>
    valuesIn(css, selector.replace(" {", ""), square, name),
  );
}

const DARK_BOARDS = /:is\(([^)]+)\) \[role="grid"\] \{\s*color-scheme: dark/.exec(boxes)?.[1] ?? "";
const isDark = (box: string, name: Theme): boolean => name === "dark" || DARK_BOARDS.includes(`"${box}"`);

/** The lines on the back of a piece, as #rrggbbaa. */
function hatchOf(box: string, side: string, name: Theme): string {
  const own = [`.tile.${side}:not`, ".tile {"]
    .map((end) =>
      new RegExp(`data-box="${box}"\\]\\) ${end.replaceAll(".", "\\.")}[^}]*?--hatch: (#\\w+)`).exec(tile),
    )
    .find(Boolean)?.[1];
  const [, light = "", dark = ""] = /--hatch: light-dark\((#\w+), (#\w+)\)/.exec(tile) ?? [];
  return own ?? (isDark(box, name) ? dark : light);
}

/** A colour with the lines of its hatch spread evenly over it. */
function hatched(colour: string, hatch: string): string {
  const share = (parseInt(hatch.slice(7), 16) / 255) * HATCHED;
  const mixed = [1, 3, 5].map((at) => {
    const [below, above] = [colour, hatch].map((one) => parseInt(one.slice(at, at + 2), 16)) as [
      number,
      number,
    ];
    return Math.round(below + (above - below) * share)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${mixed.join("")}`;
}

const armies = Object.values(BOXES).flatMap((toml) => {
  const box = /^id = "([^"]+)"/m.exec(toml)?.[1] ?? "";
  const found = [...toml.matchAll(/^\[army\.([^\]]+)\][^[]*?^colour = "(#\w{6})"/gms)];
  return found.map(([, army = "", colour = ""], at) => ({ box, army, colour, side: at ? "north" : "south" }));
});

describe("the colours of pieces", () => {
  it("are found for both armies of every box", () => {
    expect(armies).toHaveLength(2 * 9);
    expect(DARK_BOARDS).toContain("onyx");
  });

  for (const name of THEMES)
    for (const { box, army, colour, side } of armies) {
      // high contrast has the same squares and backs, with a thicker rim
      it(`show the back of ${army} clearly on the board of ${box}, ${name}`, () => {
        const squares = squaresOf(box, name);
        expect(squares.length).toBeGreaterThanOrEqual(2);
        const backs = [colour, hatched(colour, hatchOf(box, side, name))];
        for (const back of backs)
          for (const square of squares)
            expect(contrast(back, square), `${back} on ${square}`).toBeGreaterThanOrEqual(3);
      });
    }

  it.each(armies)("let the rank of $army in $box be read", ({ colour }) => {
    expect(contrast(textColourOn(colour), colour)).toBeGreaterThanOrEqual(4.5);
  });
});

describe("the coordinates", () => {
  it.each([":root", ':root[data-theme="dark"]', ":root:not"])("can be read on the page of %s", (selector) => {
    const css = selector === ":root" ? theme.slice(0, theme.indexOf("@media")) : theme;
    const [soft = "", paper = ""] = ["--soft", "--paper"].map(
      (name) => valuesIn(css, selector, name, "light")[0],
    );
    expect(contrast(soft, paper)).toBeGreaterThanOrEqual(4.5);
  });
});
