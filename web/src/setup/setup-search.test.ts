import type { SavedSetup } from "../api/types";
import { findSetups, ownTags, readTags } from "./setup-search";

const setup = (name: string, own_tags: string[], tags: string[] = []): SavedSetup => ({
  id: name,
  game: "onyx/classic",
  side: "south",
  name,
  code: "F",
  tags,
  own_tags,
});
const SETUPS = [
  setup("Éclair", ["vite", "contre Zoé"], ["Flag in the corner"]),
  setup("Mur", ["lent"]),
  setup("Mur vite", ["Vite"]),
];
const names = (search: string, tag = ""): string[] => findSetups(SETUPS, search, tag).map(({ name }) => name);

test("setups are found by words of their names and tags, without case and accents", () => {
  expect(names("eclair")).toEqual(["Éclair"]);
  expect(names("ZOE contre")).toEqual(["Éclair"]);
  expect(names("corner")).toEqual(["Éclair"]);
  expect(names("mur vite")).toEqual(["Mur vite"]);
  expect(names("  ")).toHaveLength(3);
  expect(names("bombe")).toEqual([]);
});

test("a chosen tag leaves the setups that have it", () => {
  expect(names("", "vite")).toEqual(["Éclair", "Mur vite"]);
  expect(names("mur", "vite")).toEqual(["Mur vite"]);
});

test("tags are listed once and read from a line", () => {
  expect(ownTags(SETUPS)).toEqual(["contre Zoé", "lent", "vite"]);
  expect(readTags(" quick,, against Ben ,")).toEqual(["quick", "against Ben"]);
});
