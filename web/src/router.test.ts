import { describe, expect, it } from "vitest";
import { parsePath } from "./router.svelte";

describe("paths", () => {
  it("lead to their pages", () => {
    expect(parsePath("/")).toEqual({ page: "home" });
    expect(parsePath("/play/abc")).toEqual({ page: "play", match: "abc" });
    expect(parsePath("/rules/onyx/classic")).toEqual({ page: "rules", game: "onyx/classic" });
    expect(parsePath("/learn")).toEqual({ page: "learn" });
    expect(parsePath("/learn/onyx/rescue")).toEqual({ page: "lesson", lesson: "onyx/rescue" });
    expect(parsePath("/puzzles")).toEqual({ page: "puzzles" });
    expect(parsePath("/puzzles/mini-3x4-win-1")).toEqual({ page: "puzzle", puzzle: "mini-3x4-win-1" });
    expect(parsePath("/join/a%20b")).toEqual({ page: "join", token: "a b" });
  });

  it("that have no page are not found, even malformed ones", () => {
    expect(parsePath("/play")).toEqual({ page: "not-found" });
    expect(parsePath("/play/a/b")).toEqual({ page: "not-found" });
    expect(parsePath("/play/%E0%A4%A")).toEqual({ page: "not-found" });
  });
});
