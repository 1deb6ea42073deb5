import { fireEvent, render, screen } from "@testing-library/svelte";
import { describe, expect, it, test } from "vitest";
import type { OptionInfo } from "../api/types";
import {
  countChanges,
  defaultLevel,
  clockChoices,
  controlFor,
  isActive,
  optionTitle,
  valueLabel,
  optionsToSend,
} from "./options";
import Harness from "./OptionForm.harness.svelte";

const option = (name: string, values: string[], rest: Partial<OptionInfo> = {}): OptionInfo => ({
  name,
  values,
  range: "",
  default: values[0] ?? "",
  help: `about ${name}`,
  needs: "",
  min: null,
  max: null,
  ...rest,
});

const rescue = option("rescue", ["off", "on"]);
const zone = option("rescue_zone", ["home_rows", "half"], { needs: "rescue" });
const limit = option("two_square_limit", ["off"], {
  range: "a number from 1 to 9",
  min: 1,
  max: 9,
  default: "2",
});
const clock = option("clock", ["none"], { range: "10m+5s, 30s/move or 3d" });

describe("house rules", () => {
  it("are switches, choices or numbers, depending on their values", () => {
    expect([rescue, zone, limit].map(controlFor)).toEqual(["switch", "choice", "number"]);
    expect(optionTitle(limit)).toBe("Two square limit");
  });

  it("have labels of their own or readable names", () => {
    expect(valueLabel("memory", "strict")).toBe("From memory");
    expect(valueLabel("both_stuck", "side_to_move_loses")).toBe("side to move loses");
    expect(clockChoices(clock)[0]).toEqual({ value: "none", label: "No clock" });
    expect(valueLabel("clock", "7m+1s")).toBe("7m+1s");
  });

  it("have no effect while the rule they need is off", () => {
    const all = [rescue, zone];
    expect(isActive(zone, all, {})).toBe(false);
    expect(isActive(zone, all, { rescue: "on" })).toBe(true);
    expect(optionsToSend(all, { rescue_zone: "half" })).toEqual({});
    expect(optionsToSend(all, { rescue_zone: "half", rescue: "on" })).toEqual({
      rescue_zone: "half",
      rescue: "on",
    });
  });

  it("are sent if chosen, and counted if they differ from the default", () => {
    const all = [rescue, zone, limit];
    const chosen = { rescue: "off", two_square_limit: "3" };
    expect(optionsToSend(all, {})).toEqual({});
    expect(optionsToSend(all, chosen)).toEqual(chosen);
    expect(countChanges(all, all, chosen)).toBe(1);
    expect(countChanges(all, all, { rescue_zone: "half" })).toBe(0);
  });
});

describe("the form", () => {
  it("shows each rule with its help and reports what was chosen", async () => {
    render(Harness, { options: [rescue, zone, limit] });
    const zones = screen.getByRole("combobox", { name: "Rescue zone" });
    expect(zones).toBeDisabled();
    expect(zones).toHaveAccessibleDescription("About rescue_zone.");
    await fireEvent.click(screen.getByRole("checkbox", { name: "Rescue" }));
    expect(zones).toBeEnabled();
    await fireEvent.change(zones, { target: { value: "half" } });
    const number = screen.getByRole("spinbutton", { name: "Two square limit" });
    expect(number).toHaveAttribute("min", "1");
    expect(number).toHaveAttribute("max", "9");
    await fireEvent.input(number, {
      target: { value: "4" },
    });
    expect(screen.getByTestId("chosen")).toHaveTextContent(
      '{"rescue":"on","rescue_zone":"half","two_square_limit":"4"}',
    );
  });

  it("switches a numbered rule off and on again", async () => {
    render(Harness, { options: [limit] });
    const isOn = screen.getByRole("checkbox", { name: "Two square limit: on" });
    await fireEvent.click(isOn);
    expect(screen.getByTestId("chosen")).toHaveTextContent('{"two_square_limit":"off"}');
    expect(screen.getByRole("spinbutton")).toBeDisabled();
    await fireEvent.click(isOn);
    expect(screen.getByRole("spinbutton")).toHaveValue(2);
  });
});

test("the level at first is the server's default, or one in the middle of the list", () => {
  const levels = (...ids: string[]) => ids.map((id) => ({ id, name: id, character: "", pace_ms: 0 }));
  expect(defaultLevel(levels("random", "greedy", "turtle", "owl"))).toBe("greedy");
  expect(defaultLevel(levels("cub", "fox", "owl"))).toBe("fox");
  expect(defaultLevel([])).toBe("");
});
