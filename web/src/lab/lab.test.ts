import { render, screen } from "@testing-library/svelte";
import { parsePath } from "../router.svelte";
import { api, ApiError } from "../api/http";
import type { LabRun } from "../api/types";
import { labDraft, storeDraft, storedDraft } from "../setup/stored-draft";
import { differences } from "./differences";
import { heatOf, percentLabel } from "./heat";
import { codeInLink, labPath, setupPath } from "./lab-path";
import { LabRunStore } from "./lab-run.svelte";
import RunPlot from "./RunPlot.svelte";
import { readSetupFile, setupFileName, writeSetupFile } from "./setup-file";

describe("addresses", () => {
  test.each(["south", "north"] as const)("the lab of %s is found again", (side) => {
    expect(parsePath(labPath("onyx/classic", side))).toEqual({ page: "lab", game: "onyx/classic", side });
  });
  test("the lab without a game, and wrong addresses", () => {
    expect(parsePath("/lab")).toEqual({ page: "lab", game: "", side: "south" });
    expect(parsePath("/lab/onyx").page).toBe("not-found");
    expect(parsePath("/lab/onyx/classic/west").page).toBe("not-found");
    expect(parsePath("/lab/onyx/classic/north/x").page).toBe("not-found");
  });
});

test.each(["south", "north"] as const)("a link for %s has the code of its setup", (side) => {
  const [path = "", search] = setupPath("onyx/classic", side, "FB8../9s1&+%").split("?");
  expect(parsePath(path)).toEqual({ page: "lab", game: "onyx/classic", side });
  expect(search).toContain("FB8../9s1%26");
  expect(codeInLink(`?${search}`)).toBe("FB8../9s1&+%");
  expect([codeInLink(""), codeInLink("?setup=")]).toEqual([null, ""]);
});

describe("files", () => {
  test("a setup comes back from its file", () => {
    const text = writeSetupFile("onyx/classic", "north", "FB8/9s1");
    expect(readSetupFile(text)).toEqual({ game: "onyx/classic", side: "north", code: "FB8/9s1" });
    expect(setupFileName("onyx/classic", "north")).toBe("onyx-classic-north-setup.txt");
  });
  test("a bare code is read too, with Windows line ends", () => {
    expect(readSetupFile("FB8/9s1\r\n")).toEqual({ game: "", side: "", code: "FB8/9s1" });
    expect(readSetupFile("FB8\r\n9s1\r\n").code).toBe("FB8/9s1");
    expect(readSetupFile("").code).toBe("");
  });
});

test("a draft of the lab outlives the tab", () => {
  const draft = { squares: { a1: "flag" }, style: "" };
  storeDraft(labDraft("onyx/classic"), "south", draft);
  sessionStorage.clear();
  expect(storedDraft(labDraft("onyx/classic"), "south")).toEqual(draft);
  expect(storedDraft(labDraft("onyx/classic"), "north")).toBeNull();
  localStorage.clear();
});

test("squares that differ are named once, empty ones too", () => {
  expect(differences({ a1: "flag", b1: "bomb" }, { a1: "flag", b1: "spy", c1: "bomb" })).toEqual([
    "b1",
    "c1",
  ]);
  expect(differences({ a1: "flag" }, { a1: "flag" })).toEqual([]);
});

test("heat is a share of the setups, and strongest on the usual square", () => {
  const heat = heatOf({ setups: 200, counts: { flag: { a1: 100, b1: 50, c1: 1 } } }, "flag");
  expect(heat.get("a1")).toEqual({ share: 0.5, strength: 1 });
  expect(heat.get("b1")).toEqual({ share: 0.25, strength: 0.5 });
  expect([0, 0.004, 0.25, 1].map(percentLabel)).toEqual(["", "<1", "25", "100"]);
  expect(heatOf({ setups: 0, counts: {} }, "flag").size).toBe(0);
});

const running = (points: number): LabRun => ({
  game: "onyx/classic",
  side: "south",
  code: "F",
  state: points < 2 ? "running" : "done",
  games: 2,
  won: points,
  drawn: 0,
  lost: 0,
  sentence: "",
  points: Array.from({ length: points }, () => ({ percent: 100, low: 20, high: 100 })),
});

describe("a run", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  test("is asked for until it is done, also after a failed request", async () => {
    vi.spyOn(api, "startLabRun").mockResolvedValue({ run: running(0) });
    const asked = vi
      .spyOn(api, "labRun")
      .mockRejectedValueOnce(new ApiError("offline", "Not there."))
      .mockResolvedValueOnce({ run: running(1) })
      .mockResolvedValueOnce({ run: running(2) });
    const store = new LabRunStore();
    await store.start({ game: "onyx/classic", side: "south", code: "F", games: 2 });
    expect(store.isRunning).toBe(true);
    await vi.advanceTimersByTimeAsync(1000);
    expect(store.error).toBe("Not there.");
    await vi.advanceTimersByTimeAsync(1000);
    expect([store.error, store.played]).toEqual(["", 1]);
    await vi.advanceTimersByTimeAsync(1000);
    expect([store.isRunning, store.played]).toEqual([false, 2]);
    await vi.advanceTimersByTimeAsync(5000);
    expect(asked).toHaveBeenCalledTimes(3);
  });

  test("that the server has forgotten is said to be interrupted, also after a reload", async () => {
    vi.spyOn(api, "startLabRun").mockResolvedValue({ run: { ...running(1), games: 3 } });
    vi.spyOn(api, "labRun").mockResolvedValue({ run: null });
    vi.spyOn(api, "visitor").mockResolvedValue({ guest: { id: "anna", name: "Anna" } });
    const request = { game: "onyx/classic", side: "south", code: "F", games: 3 } as const;
    const store = new LabRunStore();
    await store.start(request);
    expect(store.isInterrupted).toBe(false);
    const reloaded = new LabRunStore();
    await reloaded.load();
    expect([reloaded.isInterrupted, reloaded.run]).toEqual([true, null]);
    await vi.advanceTimersByTimeAsync(1000);
    expect([store.isInterrupted, store.isRunning, store.played]).toEqual([true, false, 1]);
    await store.start(request);
    expect([store.isInterrupted, store.isRunning]).toEqual([false, true]);
    store.close();
    localStorage.clear();
    const later = new LabRunStore();
    await later.load();
    expect(later.isInterrupted).toBe(false);
  });

  test("is not asked for after the page was left", async () => {
    vi.spyOn(api, "startLabRun").mockResolvedValue({ run: running(0) });
    const asked = vi.spyOn(api, "labRun");
    const store = new LabRunStore();
    await store.start({ game: "onyx/classic", side: "south", code: "F", games: 2 });
    store.close();
    await vi.advanceTimersByTimeAsync(5000);
    expect(asked).not.toHaveBeenCalled();
  });
});

test("the plot has a text, and its band ends at the interval", () => {
  const points = [
    { percent: 0, low: 0, high: 79 },
    { percent: 50, low: 10, high: 90 },
  ];
  render(RunPlot, { points, games: 2, label: "Wins 50%" });
  const plot = screen.getByRole("img", { name: "Wins 50%" });
  expect(plot.querySelector("polygon")?.getAttribute("points")?.split(" ")).toHaveLength(4);
  expect(plot.querySelector("polyline")?.getAttribute("points")?.split(" ")).toHaveLength(2);
});
