import { afterEach, expect, test, vi } from "vitest";
import type { MatchSummary } from "../api/types";
import { countWaiting, showWaiting } from "./badge";
import { bytesOf, loadNotifications, notifications } from "./notifications.svelte";

const match = (opponent: string, isYourTurn: boolean): MatchSummary =>
  ({ opponent, is_your_turn: isYourTurn }) as MatchSummary;

afterEach(() => {
  showWaiting(0);
  vi.unstubAllGlobals();
});

test("only games against people in which it is your turn are waiting", () => {
  const matches = [
    match("friend", true),
    match("lobby", true),
    match("friend", false),
    match("computer", true),
  ];
  expect(countWaiting(matches)).toBe(2);
});

test("the title of the tab has the number of waiting games, also after the page changes it", async () => {
  document.title = "Flagfall";
  showWaiting(2);
  expect(document.title).toBe("(2) Flagfall");
  document.title = "Lobby – Flagfall";
  await vi.waitFor(() => expect(document.title).toBe("(2) Lobby – Flagfall"));
  showWaiting(0);
  expect(document.title).toBe("Lobby – Flagfall");
});

test("a browser without push says so", async () => {
  await loadNotifications();
  expect(notifications.state).toBe("unsupported");
});

test("the key of the server is read as bytes", () => {
  expect([...bytesOf("-_8B")]).toEqual([251, 255, 1]);
});
