import { describe, expect, it } from "vitest";
import { Messages } from "./messages";

const FILES = {
  "./fr/game.toml": {
    title: "Une partie",
    left: { one: "Il reste {number} coup", other: "Il reste {number} coups" },
    chance: "{chance:percent} de chances",
    seat: { by: "side", south: "Sud", other: "Nord" },
    group: { inner: "dedans" },
  },
};

describe("messages", () => {
  const french = new Messages("fr", FILES);

  it("uses the plural forms of the language", () => {
    expect(french.say("game.left", { number: 0 })).toBe("Il reste 0 coup");
    expect(french.say("game.left", { number: 2 })).toBe("Il reste 2 coups");
  });

  it("chooses by a word, writes numbers as the language does and finds messages in groups", () => {
    expect(french.say("game.seat", { side: "south" })).toBe("Sud");
    expect(french.say("game.seat", { side: "north" })).toBe("Nord");
    expect(french.say("game.chance", { chance: 0.5 })).toMatch(/^50\s%/);
    expect(french.say("game.group.inner", {})).toBe("dedans");
  });

  it("refuses an unknown key and a missing argument", () => {
    expect(() => french.say("game.none", {})).toThrow("no message “game.none”");
    expect(() => french.say("game.left", {})).toThrow("needs “number”");
  });
});
