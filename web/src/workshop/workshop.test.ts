import { describe, expect, it } from "vitest";
import type { KeyFact, WorkshopSchema } from "../api/types";
import { boxFileName, renamed } from "./box-file";
import { suggestionsAt } from "./completion";
import { rangeOf } from "./problems";
import { forgetBox, storeBox, storedBox } from "./stored-box";
import { placeAt } from "./toml-place";

const at = (text: string): ReturnType<typeof placeAt> => placeAt(text.replace("|", ""), text.indexOf("|"));

describe("the place of the cursor", () => {
  it("is a title, a key or a value", () => {
    expect(at("[ki|").is).toBe("title");
    expect(at("[kind.a]\nico|")).toMatchObject({ is: "key", table: ["kind", "a"], from: 9 });
    expect(at('[kind.a]\nicon = "dr|"')).toMatchObject({
      is: "value",
      key: "icon",
      isQuoted: true,
      from: 17,
    });
  });

  it("is nothing in remarks and long texts, whatever they contain", () => {
    expect(at("# icon = |").is).toBe("other");
    expect(at('text = """\n[kind.x]\nicon = |').is).toBe("other");
  });

  it("knows lists and inline tables", () => {
    expect(at('takes = ["a", "|"]')).toMatchObject({ is: "value", key: "takes", isInList: true });
    expect(at("[game.b]\ncounts = { a = 1, |")).toMatchObject({ is: "key", table: ["game", "b", "counts"] });
  });
});

const key = (name: string, fact: Partial<KeyFact>): KeyFact => ({
  name,
  type: "text",
  help: "",
  example: `${name} = "…"`,
  values: [],
  is_required: false,
  default: "",
  names: "",
  ...fact,
});
const schema: WorkshopSchema = {
  sections: [
    {
      path: "kind.*",
      help: "a sort of piece",
      names: "",
      keys: [
        key("role", { values: ["bomb", "flag"] }),
        key("icon", { names: "icon" }),
        key("takes", { type: "list of texts", names: "kind", example: "takes = []" }),
      ],
    },
    { path: "power.*", help: "", names: "", keys: [key("verb", { names: "verb" })] },
  ],
  verbs: [{ name: "run", help: "go far", parameters: [key("attack", { type: "true or false" })] }],
  options: [],
  icons: ["dragon-head", "owl"],
  templates: [],
};
const offered = (text: string): string[] =>
  suggestionsAt(text.replace("|", ""), text.indexOf("|"), schema)?.list.map(({ insert }) => insert) ?? [];

describe("completion", () => {
  it("offers keys that the table does not have yet", () => {
    expect(offered('[kind.a]\nrole = "bomb"\ni|')).toContain('icon = ""');
    expect(offered('[kind.a]\nrole = "bomb"\ni|')).not.toContain('role = ""');
  });

  it("offers values, with quotes where there are none", () => {
    expect(offered("[kind.a]\nrole = |")).toEqual(['"bomb"', '"flag"']);
    expect(offered('[kind.a]\nicon = "|"')).toEqual(["dragon-head", "owl"]);
  });

  it("offers the names that the author gave, and the parameters of a verb", () => {
    expect(offered('[kind.a]\n[kind.b]\ntakes = ["|"]')).toEqual(["a", "b"]);
    expect(offered('[power.p]\nverb = "run"\na|')).toContain('attack = ""');
    expect(offered('[power.p]\nverb = "run"\nattack = |')).toEqual(["true", "false"]);
  });

  it("offers nothing in a text", () => expect(offered('text = "|"')).toEqual([]));
});

it("a problem is underlined from its column to the end of its word", () => {
  const text = "[kind.a]\nrank = 3";
  expect(rangeOf(text, { line: 2, column: 1 })).toEqual({ from: 9, to: 13 });
  expect(rangeOf(text, { line: 1, column: 1 })).toEqual({ from: 0, to: 8 });
  expect(rangeOf(text, { line: 99, column: 99 }).to).toBeLessThanOrEqual(text.length);
});

it("an unsaved text is kept with the revision it was made from", () => {
  storeBox("x", { text: "a", base: 3 });
  expect(storedBox("x")).toEqual({ text: "a", base: 3 });
  forgetBox("x");
  expect(storedBox("x")).toBeNull();
});

it("a copy has its own name, and pieces keep theirs", () => {
  expect(renamed('name = "A"\n[kind.x]\nname = "A"', "B")).toBe('name = "B"\n[kind.x]\nname = "A"');
  expect(boxFileName("Harbour & Fog")).toBe("harbour-fog.toml");
});
