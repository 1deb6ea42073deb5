import { fireEvent, render, screen } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import type { OptionInfo } from "../api/types";
import { levelsOf, defaultLevel } from "./levels";
import {
  bounds,
  countChanges,
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
  ...rest,
});

const rescue = option("rescue", ["off", "on"]);
const zone = option("rescue_zone", ["home_rows", "half"], { needs: "rescue" });
const limit = option("two_square_limit", ["off"], { range: "a number from 1 to 9", default: "2" });
const clock = option("clock", ["none"], { range: "10m+5s, 30s/move or 3d" });

describe("house rules", () => {
  it("are switches, choices or numbers, as the box gives their values", () => {
    expect([rescue, zone, limit].map(controlFor)).toEqual(["switch", "choice", "number"]);
    expect(bounds(limit)).toEqual({ least: 1, most: 9 });
    expect(optionTitle(limit)).toBe("Two square limit");
  });

  it("have friendly words where we know them and plain ones where we do not", () => {
    expect(valueLabel("memory", "strict")).toBe("By heart");
    expect(valueLabel("both_stuck", "side_to_move_loses")).toBe("side to move loses");
    expect(clockChoices(clock)[0]).toEqual({ value: "none", label: "No clock" });
    expect(valueLabel("clock", "7m+1s")).toBe("7m+1s");
  });

  it("count only while the rule they need is in force", () => {
    const all = [rescue, zone];
    expect(isActive(zone, all, {})).toBe(false);
    expect(isActive(zone, all, { rescue: "on" })).toBe(true);
    expect(optionsToSend(all, { rescue_zone: "half" })).toEqual({});
    expect(optionsToSend(all, { rescue_zone: "half", rescue: "on" })).toEqual({
      rescue_zone: "half",
      rescue: "on",
    });
  });

  it("are sent where somebody chose, and counted where they differ from the box", () => {
    const all = [rescue, zone, limit];
    const chosen = { rescue: "off", two_square_limit: "3" };
    expect(optionsToSend(all, {})).toEqual({});
    expect(optionsToSend(all, chosen)).toEqual(chosen);
    expect(countChanges(all, all, chosen)).toBe(1);
    expect(countChanges(all, all, { rescue_zone: "half" })).toBe(0);
  });
});

describe("the form", () => {
  it("shows each rule with its help and tells what was chosen", async () => {
    render(Harness, { options: [rescue, zone, limit] });
    const zones = screen.getByRole("combobox", { name: "Rescue zone" });
    expect(zones).toBeDisabled();
    expect(zones).toHaveAccessibleDescription("About rescue_zone.");
    await fireEvent.click(screen.getByRole("checkbox", { name: "Rescue" }));
    expect(zones).toBeEnabled();
    await fireEvent.change(zones, { target: { value: "half" } });
    await fireEvent.input(screen.getByRole("spinbutton", { name: "Two square limit" }), {
      target: { value: "4" },
    });
    expect(screen.getByTestId("chosen")).toHaveTextContent(
      '{"rescue":"on","rescue_zone":"half","two_square_limit":"4"}',
    );
  });

  it("switches a numbered rule off and on again", async () => {
    render(Harness, { options: [limit] });
    const inForce = screen.getByRole("checkbox", { name: "Two square limit: in force" });
    await fireEvent.click(inForce);
    expect(screen.getByTestId("chosen")).toHaveTextContent('{"two_square_limit":"off"}');
    expect(screen.getByRole("spinbutton")).toBeDisabled();
    await fireEvent.click(inForce);
    expect(screen.getByRole("spinbutton")).toHaveValue(2);
  });
});

describe("computer players", () => {
  const told = (...ids: string[]) =>
    ids.map((id) => ({ id, name: id, character: `${id} plays.`, pace_ms: 0 }));

  it("have a name and a line of character", () => {
    expect(levelsOf(told("owl"))).toEqual([{ id: "owl", name: "owl", text: "owl plays." }]);
  });

  it("begin with the server's own choice, or with somebody in the middle", () => {
    expect(defaultLevel(levelsOf(told("random", "greedy", "turtle", "owl")))).toBe("greedy");
    expect(defaultLevel(levelsOf(told("cub", "fox", "owl")))).toBe("fox");
    expect(defaultLevel([])).toBe("");
  });
});
