import { describe, expect, it } from "vitest";
import type { BoardInfo } from "../api/types";
import { plainPiece } from "../board/pieces";
import { embedCode, momentLink, readMoment } from "./moment";
import { drawBoard, type Palette, type Scene } from "./picture";

describe("the address of a moment", () => {
  it("is read back as the same turn and viewer", () => {
    const link = momentLink("https://example.org", "abc", 12, "north");
    expect(readMoment(new URL(link).search)).toEqual({ turn: 12, viewer: "north" });
  });

  it("falls back to the start and all pieces", () => {
    for (const search of ["", "?turn=-3", "?turn=1e99", "?turn=x&eyes=god", "?turn=1.5"])
      expect(readMoment(search)).toEqual({ turn: 0, viewer: "truth" });
  });

  it("cannot be left by the title of a game", () => {
    const code = embedCode("https://example.org", "abc", 1, "south", { columns: 10, rows: 10 }, '"><script>');
    expect(code).not.toContain("<script>");
    expect(code).toContain("turn=1&amp;eyes=south");
  });
});

describe("a picture of the board", () => {
  const board = { columns: 3, rows: 3, zones: ["b2"], zone_word: "lake" } as unknown as BoardInfo;
  const palette: Palette = {
    paper: "#fff",
    ink: "#000",
    frame: "#333",
    line: "#555",
    zone: "#00f",
    zone2: "#008",
    accent: "#0f0",
    square: () => "#eee",
  };
  const drawings = {
    figure: (name: string) => (name ? `<path d="M0 0" id="x"/>` : ""),
    eye: "",
    foot: "",
    mountain: "",
  };
  const scene: Scene = {
    board,
    pieces: new Map([
      ["a1", plainPiece("south", "#0072b2", "10", "sword", "Marshal")],
      ["c3", plainPiece("north", "#d55e00")],
    ]),
    arrows: [{ from: "a1", to: "a2" }],
    isFlipped: false,
    special: "",
    set: "figures",
    caption: `Anna & <Ben>`,
  };

  it("is one well-formed file that needs nothing else", () => {
    const svg = drawBoard(scene, palette, drawings);
    const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
    expect(parsed.querySelector("parsererror")).toBeNull();
    expect(parsed.querySelector("title")?.textContent).toBe("Anna & <Ben>");
    expect(svg.replace("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:|href|var\(/);
  });

  it("shows the label of a known piece and only the back of a hidden one", () => {
    const parsed = new DOMParser().parseFromString(drawBoard(scene, palette, drawings), "image/svg+xml");
    const texts = [...parsed.querySelectorAll("g g text")].map((text) => text.textContent);
    expect(texts).toEqual(["10"]);
    expect(parsed.querySelectorAll('[fill="url(#hatch-north)"]')).toHaveLength(1);
  });
});
