import { render, screen } from "@testing-library/svelte";
import { COMMAND_HELP } from "./command-input";
import KeysHelp from "./KeysHelp.svelte";

test("the help says what can be typed", () => {
  render(KeysHelp);
  expect(screen.getByText(COMMAND_HELP)).toBeInTheDocument();
  expect(screen.getByText("a–z, /")).toBeInTheDocument();
});

test("without a command box the help does not speak of typing", () => {
  render(KeysHelp, { hasCommands: false });
  expect(screen.queryByText(COMMAND_HELP)).toBeNull();
  expect(screen.queryByText("a–z, /")).toBeNull();
  expect(screen.getByText("Esc")).toBeInTheDocument();
});
