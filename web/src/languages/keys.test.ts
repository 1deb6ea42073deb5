import { describe, expect, it } from "vitest";
import dutch from "./nl";
import english from "./en";
import french from "./fr";
import german from "./de";
import { flatten, type Message } from "./messages";

const ENGLISH = flatten(english);
const OTHERS = { nl: flatten(dutch), de: flatten(german), fr: flatten(french) };

const SOURCES = import.meta.glob<string>(["../**/*.{svelte,ts}", "!../**/*.test.ts", "!../api/schema.ts"], {
  eager: true,
  query: "?raw",
  import: "default",
});

const texts = (message: Message): string[] =>
  typeof message === "string"
    ? [message]
    : Object.entries(message).flatMap(([key, inner]) => (key === "by" ? [] : texts(inner)));

const names = (message: Message | undefined): Set<string> =>
  new Set(
    texts(message ?? "").flatMap((text) => [...text.matchAll(/\{(\w+)/g)].map((found) => found[1] ?? "")),
  );

describe("keys of messages", () => {
  const code = Object.values(SOURCES).join("\n");

  it("are all used", () => {
    const literal = new Set([...code.matchAll(/["'`]([\w-]+(?:\.[\w-]+)+)["'`]/g)].map((found) => found[1]));
    const beginnings = [...code.matchAll(/`([\w-]+\.(?:[\w-]+\.)*[\w-]*)\$\{/g)].map(
      (found) => found[1] ?? "",
    );
    const unused = [...ENGLISH.keys()].filter(
      (key) => !literal.has(key) && !beginnings.some((start) => key.startsWith(start)),
    );
    expect(unused).toEqual([]);
  });

  it("exist where a message is asked for", () => {
    const asked = [...code.matchAll(/\b(?:t|around)\(\s*"([^"]+)"/g)].map((found) => found[1] ?? "");
    expect(asked.filter((key) => !ENGLISH.has(key))).toEqual([]);
  });

  it.each(Object.entries(OTHERS))("are the same in %s, with the same arguments", (_, messages) => {
    expect([...messages.keys()].filter((key) => !ENGLISH.has(key))).toEqual([]);
    expect([...ENGLISH.keys()].filter((key) => !messages.has(key))).toEqual([]);
    const wrong = [...messages].filter(([key, message]) => {
      const known = names(ENGLISH.get(key));
      return [...names(message)].some((name) => !known.has(name));
    });
    expect(wrong.map(([key]) => key)).toEqual([]);
  });
});
