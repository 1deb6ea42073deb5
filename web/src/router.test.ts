import { describe, expect, it } from "vitest";
import { read } from "./router.svelte";

describe("addresses", () => {
  it("lead to their pages", () => {
    expect(read("/")).toEqual({ page: "home" });
    expect(read("/play/abc")).toEqual({ page: "play", match: "abc" });
    expect(read("/rules/onyx/classic")).toEqual({ page: "rules", game: "onyx/classic" });
    expect(read("/join/a%20b")).toEqual({ page: "join", token: "a b" });
  });

  it("that lead nowhere say so, however they are written", () => {
    expect(read("/play")).toEqual({ page: "missing" });
    expect(read("/play/a/b")).toEqual({ page: "missing" });
    expect(read("/play/%E0%A4%A")).toEqual({ page: "missing" });
  });
});
