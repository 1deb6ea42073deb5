import { describe, expect, it } from "vitest";
import { parsePath } from "./router.svelte";

describe("addresses", () => {
  it("lead to their pages", () => {
    expect(parsePath("/")).toEqual({ page: "home" });
    expect(parsePath("/play/abc")).toEqual({ page: "play", match: "abc" });
    expect(parsePath("/rules/onyx/classic")).toEqual({ page: "rules", game: "onyx/classic" });
    expect(parsePath("/join/a%20b")).toEqual({ page: "join", token: "a b" });
  });

  it("that lead nowhere say so, however they are written", () => {
    expect(parsePath("/play")).toEqual({ page: "missing" });
    expect(parsePath("/play/a/b")).toEqual({ page: "missing" });
    expect(parsePath("/play/%E0%A4%A")).toEqual({ page: "missing" });
  });
});
