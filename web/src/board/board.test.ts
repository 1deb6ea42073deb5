import { fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import Board from "./Board.svelte";
import Tile from "./Tile.svelte";
import { plainPiece } from "./pieces";

const onpick = vi.fn();
const board = {
  columns: 2,
  rows: 2,
  zones: [],
  zone_word: "",
  home: { south: [], north: [] },
  fills_home: true,
};

function square(cell: string): HTMLElement {
  return screen.getByRole("gridcell", { name: cell });
}

async function press(cell: string, pointerType = "touch"): Promise<void> {
  await fireEvent(
    square(cell),
    Object.assign(new Event("pointerdown", { bubbles: true }), { pointerType, button: 0 }),
  );
}

it("draws both parts of a number whose halves are the same", () => {
  render(Tile, { style: plainPiece("south", "#d9363e", "500500", "laurel-crown"), set: "numbers" });
  expect([...document.querySelectorAll("text")].map((part) => part.textContent)).toEqual(["500", "500"]);
});

describe("a long press", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    onpick.mockClear();
    const pieces = new Map([
      ["a1", plainPiece("south", "#d9363e", "10", "laurel-crown", "Marshal")],
      ["a2", plainPiece("north", "#2876c9")],
    ]);
    render(Board, { board, pieces, label: "Board", describe: (cell: string) => cell, onpick });
  });
  afterEach(() => vi.useRealTimers());

  it("shows the name of a piece until the finger is lifted, and picks nothing", async () => {
    await press("a1");
    await vi.advanceTimersByTimeAsync(500);
    expect(screen.getByText("Marshal")).toBeVisible();
    await fireEvent(square("a1"), new Event("pointerup", { bubbles: true }));
    await fireEvent.click(square("a1"));
    expect(screen.queryByText("Marshal")).toBeNull();
    expect(onpick).not.toHaveBeenCalled();
  });

  it("shows nothing about a hidden piece, which is picked", async () => {
    await press("a2");
    await vi.advanceTimersByTimeAsync(500);
    expect(document.querySelector(".name")).toBeNull();
    await fireEvent(square("a2"), new Event("pointerup", { bubbles: true }));
    await fireEvent.click(square("a2"));
    expect(onpick).toHaveBeenCalledWith("a2");
  });

  it("with the mouse is a click", async () => {
    await press("a1", "mouse");
    await vi.advanceTimersByTimeAsync(500);
    expect(document.querySelector(".name")).toBeNull();
    await fireEvent(square("a1"), new Event("pointerup", { bubbles: true }));
    await fireEvent.click(square("a1"));
    expect(onpick).toHaveBeenCalledWith("a1");
  });

  it("is not a short one", async () => {
    await press("a1");
    await fireEvent(square("a1"), new Event("pointerup", { bubbles: true }));
    await vi.advanceTimersByTimeAsync(500);
    await fireEvent.click(square("a1"));
    expect(document.querySelector(".name")).toBeNull();
    expect(onpick).toHaveBeenCalledWith("a1");
  });
});
