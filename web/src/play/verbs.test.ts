import { verbName, VERBS, type Verb } from "./verbs";

test("every special action has a name of its own", () => {
  const specials = (Object.keys(VERBS) as Verb[]).filter((verb) => VERBS[verb].input === "special");
  const names = specials.map(verbName);
  expect(names).toContain("Strike all around");
  expect(new Set(names).size).toBe(specials.length);
});
