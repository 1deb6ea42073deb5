import { beforeEach, describe, expect, it, vi } from "vitest";
import type { GuideInfo, MatchSnapshot } from "../api/types";

const GUIDE = { id: "spin-master/first-game", game: "spin-master/duel", side: "south" } as GuideInfo;

const at = (number: number, events: string[], phase = "playing"): MatchSnapshot =>
  ({
    number,
    phase,
    guide: events.map((event) => ({ event, words: `${event}!`, squares: [] })),
  }) as unknown as MatchSnapshot;

/** The modules as after a reload of the page. */
async function reloaded() {
  vi.resetModules();
  const { api: fresh } = await import("../api/http");
  vi.spyOn(fresh, "createMatch").mockResolvedValue({ match: "m1" } as MatchSnapshot);
  return { ...(await import("./guided-game.svelte")), ...(await import("./progress.svelte")), api: fresh };
}

describe("a guided game", () => {
  beforeEach(() => localStorage.clear());

  const begun = async () => {
    const modules = await reloaded();
    expect(await modules.beginGuided(GUIDE)).toBe("/play/m1");
    const guided = modules.guidedGame("m1");
    if (!guided) throw new Error("the match has no guide");
    return { ...modules, guided };
  };

  it("is a training game against the easiest level, with a guide; other matches have none", async () => {
    const { api: used, guidedGame } = await begun();
    expect(used.createMatch).toHaveBeenCalledWith({
      game: GUIDE.game,
      side: "south",
      level: "recruit",
      opponent: "computer",
      training: true,
    });
    expect(guidedGame("m2")).toBeNull();
  });

  it("says one thing at a time, the first that fits, and each once", async () => {
    const { guided } = await begun();
    const heard: string[] = [];
    const hear = (snapshot: MatchSnapshot): void => {
      guided.update(snapshot);
      heard.push(guided.line?.event ?? "");
    };
    hear(at(4, ["begin", "run"]));
    hear(at(5, []));
    hear(at(6, ["run", "bomb"]));
    hear(at(8, ["bomb", "run"]));
    hear(at(10, ["bomb", "run"]));
    hear(at(12, ["won"], "over"));
    expect(heard).toEqual(["begin", "", "run", "bomb", "", "won"]);
  });

  it("says the same after a reload, and goes on from there", async () => {
    const { guided } = await begun();
    guided.readStep(2);
    guided.update(at(4, ["begin", "run"]));
    const again = (await reloaded()).guidedGame("m1");
    expect(again?.step).toBe(2);
    again?.update(at(4, ["begin", "run"]));
    expect(again?.line?.event).toBe("begin");
    again?.update(at(6, ["begin", "run"]));
    expect(again?.line?.event).toBe("run");
  });

  it("can be left and joined again, also after a reload", async () => {
    const { guided } = await begun();
    guided.switch(false);
    guided.update(at(4, ["begin"]));
    expect(guided.line).toBeNull();
    const again = (await reloaded()).guidedGame("m1");
    expect(again?.isOn).toBe(false);
    again?.switch(true);
    again?.update(at(6, ["run"]));
    expect(again?.line?.event).toBe("run");
  });

  it("can be carried on until it is over, and is ticked off then", async () => {
    const { guided, unfinishedMatch, doneLessons } = await begun();
    expect(unfinishedMatch(GUIDE.id)).toBe("m1");
    guided.update({ ...at(9, ["lost"], "over"), is_open: true });
    expect(unfinishedMatch(GUIDE.id)).toBe("");
    expect(doneLessons.has(GUIDE.id)).toBe(true);
  });

  it("is not ticked off when it is cancelled", async () => {
    const { guided, unfinishedMatch, doneLessons } = await begun();
    guided.update({ ...at(9, [], "over"), is_open: false });
    expect(unfinishedMatch(GUIDE.id)).toBe("");
    expect(doneLessons.has(GUIDE.id)).toBe(false);
  });

  it("lasts until the page is closed where nothing can be stored", async () => {
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new Error("no storage");
    });
    const { guided } = await begun();
    guided.update(at(4, ["begin"]));
    expect(guided.line?.event).toBe("begin");
    vi.restoreAllMocks();
  });
});
