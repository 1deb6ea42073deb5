import { render, screen } from "@testing-library/svelte";
import type { MatchStore } from "./match-store.svelte";
import GameButtons from "./GameButtons.svelte";

const buttons = (isSimple: boolean): string[] => {
  const match = { snapshot: { offer: null }, seat: "south", can: () => true } as unknown as MatchStore;
  render(GameButtons, { match, isSimple, onask: () => undefined });
  return screen.getAllByRole("button").map((button) => button.textContent.trim());
};

test("a draw can be offered in an ordinary game", () => {
  expect(buttons(false)).toContain("Offer a draw");
});

test("a first game with its guide has Cancel and Resign only", () => {
  expect(buttons(true)).toEqual(["Cancel game", "Resign"]);
});
