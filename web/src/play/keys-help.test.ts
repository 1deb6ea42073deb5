import { render, screen } from "@testing-library/svelte";
import KeysHelp from "./KeysHelp.svelte";

const TYPED = /^Type a move \(d4 d5\), a turn in notation, or: last, tray, who d6/;

test("the help says what can be typed", () => {
  render(KeysHelp);
  expect(screen.getByText(TYPED)).toBeInTheDocument();
  expect(screen.getByText("a–z, /")).toBeInTheDocument();
});

test("without a command box the help does not speak of typing", () => {
  render(KeysHelp, { hasCommands: false });
  expect(screen.queryByText(TYPED)).toBeNull();
  expect(screen.queryByText("a–z, /")).toBeNull();
  expect(screen.getByText("Esc")).toBeInTheDocument();
});
