import { render, screen } from "@testing-library/svelte";
import { playerName } from "../api/names";
import type { MatchSnapshot } from "../api/types";
import PlayerBar from "./PlayerBar.svelte";

const bar = (isWarmingUp: boolean, phase = "playing"): void => {
  const seat = { name: "Computer (Marshal)", is_computer: true, is_here: true, is_warming_up: isWarmingUp };
  const snapshot = {
    phase,
    to_move: "south",
    yours: ["south"],
    seats: { north: seat },
    clocks: {},
  };
  render(PlayerBar, {
    snapshot: snapshot as unknown as MatchSnapshot,
    side: "north",
    colour: "#000",
    army: "Blue",
    receivedAt: 0,
    now: 0,
  });
};

test("a computer player is called by its level, a person by name", () => {
  expect(["Computer (Marshal)", "Computer (greedy)", "Anna"].map(playerName)).toEqual([
    "Marshal",
    "Greedy",
    "Anna",
  ]);
});

test("the bar says when the computer is still Warming up", () => {
  bar(true);
  expect(screen.getByText("Marshal")).toBeVisible();
  expect(screen.getByText(/Warming up/)).toBeVisible();
});

test("the bar says nothing about Warming up once it is over", () => {
  bar(false);
  expect(screen.queryByText(/Warming up/)).toBeNull();
});

test("the bar says nothing about Warming up once the game is over", () => {
  bar(true, "over");
  expect(screen.queryByText(/Warming up/)).toBeNull();
});
