import { fireEvent, render, screen } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { MatchSnapshot, OptionInfo } from "../api/types";
import {
  countChanges,
  chipsOf,
  clockChoices,
  clockInList,
  controlFor,
  explanation,
  isActive,
  meaning,
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
  title: name.replaceAll("_", " "),
  labels: {},
  sentences: {},
  number_sentence: "",
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
  });

  it("have labels of their own or readable names", () => {
    const memory = option("memory", ["strict"], { labels: { strict: "Remember them yourself" } });
    expect(valueLabel(memory, "strict")).toBe("Remember them yourself");
    expect(valueLabel(option("both_stuck", []), "side_to_move_loses")).toBe("Side to move loses");
    expect(clockChoices(clock)[0]).toEqual({ value: "none", label: "No clock" });
    expect(valueLabel(clock, "7m+1s")).toBe("7m+1s");
  });

  it("name the clock of a match as players say it", () => {
    const clocks = { text: "10m+5s" } as MatchSnapshot["clocks"];
    expect(chipsOf({ chips: ["10m+5s", "Rescue"], clocks })).toEqual(["10 min + 5 s per move", "Rescue"]);
  });

  it("name the clock alone and after a comma", () => {
    const labels = ["none", "20m+10s", "30s/move", "1d"].map((value) => valueLabel(clock, value));
    expect(labels).toEqual(["No clock", "20 min + 10 s per move", "30 s per move", "1 day per move"]);
    expect([clockInList("none"), clockInList("3d")]).toEqual(["no clock", "3 days per move"]);
  });

  it("say what a value means", () => {
    const chosen = {
      ...limit,
      sentences: { off: "As often as you like." },
      number_sentence: "{number} or {next}",
    };
    expect(meaning(chosen, "off")).toBe("As often as you like.");
    expect(meaning(chosen, "2")).toBe("2 or 3");
    expect(explanation(chosen, "2")).toBe("2 or 3");
    expect(explanation(rescue, "on")).toBe("About rescue.");
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
    const zones = screen.getByRole("combobox", { name: "rescue zone" });
    expect(zones).toBeDisabled();
    expect(zones).toHaveAccessibleDescription("About rescue_zone.");
    await fireEvent.click(screen.getByRole("checkbox", { name: "rescue" }));
    expect(zones).toBeEnabled();
    await fireEvent.change(zones, { target: { value: "half" } });
    const number = screen.getByRole("spinbutton", { name: "two square limit" });
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
    const isOn = screen.getByRole("checkbox", { name: "two square limit: on" });
    await fireEvent.click(isOn);
    expect(screen.getByTestId("chosen")).toHaveTextContent('{"two_square_limit":"off"}');
    expect(screen.getByRole("spinbutton")).toBeDisabled();
    await fireEvent.click(isOn);
    expect(screen.getByRole("spinbutton")).toHaveValue(2);
  });
});

describe("the opponent at first", () => {
  const opened = async () => {
    vi.resetModules();
    return import("./draft-options");
  };
  beforeEach(() => localStorage.clear());

  it("is the weakest level for a new visitor", async () => {
    expect((await opened()).draftFor("onyx/classic")).toMatchObject({
      opponent: "computer",
      level: "recruit",
    });
  });

  it("is the one who was played last, in any game", async () => {
    const before = await opened();
    before.rememberOpponent({ ...before.draftFor("onyx/classic"), level: "major" });
    expect((await opened()).draftFor("lotr/basic")).toMatchObject({ opponent: "computer", level: "major" });
  });

  it("is the weakest level if what is stored is damaged", async () => {
    for (const damaged of ["{", "null", '{"opponent": "nobody", "level": 3}']) {
      localStorage.setItem("flagfall.opponent", damaged);
      expect((await opened()).draftFor("onyx/classic")).toMatchObject({
        opponent: "computer",
        level: "recruit",
      });
    }
  });
});
