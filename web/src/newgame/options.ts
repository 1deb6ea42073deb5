/** Labels, controls and values of the options in the new-game form. The server says which options there are. */
import type { MatchSnapshot, OptionInfo } from "../api/types";
import { t } from "../languages";

export type ChosenOptions = Record<string, string>;
type Control = "switch" | "choice" | "number";

interface LabelledValue {
  value: string;
  label: string;
}

/** Options with a control of their own; all others are house rules. */
export const MAIN_OPTIONS = ["memory", "clock"];

const COMMON_CLOCKS = ["5m+5s", "10m+5s", "20m+10s", "30s/move", "1d", "3d", "7d"];

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function controlFor(option: OptionInfo): Control {
  if (option.max !== null) return "number";
  const isSwitch =
    option.values.length === 2 && option.values.includes("on") && option.values.includes("off");
  return isSwitch ? "switch" : "choice";
}

export function valueLabel(option: OptionInfo, value: string): string {
  if (option.name === "clock") return clockLabel(value);
  return option.labels[value] ?? capitalize(value.replaceAll("_", " "));
}

export const labelledValues = (option: OptionInfo): LabelledValue[] =>
  option.values.map((value) => ({ value, label: valueLabel(option, value) }));

/** What a value of an option means, in a sentence. */
export const meaning = (option: OptionInfo, value: string): string =>
  option.sentences[value] ??
  option.number_sentence.replaceAll("{number}", value).replaceAll("{next}", String(Number(value) + 1));

/** The sentence below a control: what a switch does when it is on, or what the chosen value means. */
export const explanation = (option: OptionInfo, value: string): string =>
  (controlFor(option) === "switch" ? "" : meaning(option, value)) || `${capitalize(option.help)}.`;

/** Clocks to choose from: the default and values of the game, then common ones. */
export function clockChoices(option: OptionInfo): LabelledValue[] {
  const values = [...new Set([option.default, ...option.values, ...COMMON_CLOCKS])];
  return values.map((value) => ({ value, label: clockLabel(value) }));
}

export function clockLabel(value: string): string {
  if (isWithoutClock(value)) return t("newgame.clock.none");
  const days = /^(\d+)d$/.exec(value)?.[1];
  if (days) return t("newgame.clock.days", { number: Number(days) });
  if (!COMMON_CLOCKS.includes(value)) return value;
  const [first = 0, second] = (value.match(/\d+/g) ?? []).map(Number);
  return second === undefined
    ? t("newgame.clock.seconds", { seconds: first })
    : t("newgame.clock.minutes", { minutes: first, seconds: second });
}

/** The clock as part of a list: “Anna, no clock”. */
export const clockInList = (value: string): string =>
  isWithoutClock(value) ? t("newgame.clock.without") : clockLabel(value);

/** The house rules of a match in a few words each, with its clock as players say it. */
export const chipsOf = ({ chips, clocks }: Pick<MatchSnapshot, "chips" | "clocks">): string[] =>
  chips.map((chip) => (chip === clocks.text ? clockLabel(chip) : chip));

const isWithoutClock = (value: string): boolean => value === "none" || value === "";

export const valueOf = (option: OptionInfo, chosen: ChosenOptions): string =>
  chosen[option.name] ?? option.default;

/** Return whether an option has any effect: one that needs another option has none while that is off. */
export function isActive(option: OptionInfo, all: OptionInfo[], chosen: ChosenOptions): boolean {
  if (!option.needs) return true;
  const needed = all.find((other) => other.name === option.needs);
  return !!needed && valueOf(needed, chosen) !== "off" && isActive(needed, all, chosen);
}

/** The options to send: all that were chosen, even if equal to the default, and have an effect. */
export function optionsToSend(all: OptionInfo[], chosen: ChosenOptions): ChosenOptions {
  const sent = all.filter((option) => option.name in chosen && isActive(option, all, chosen));
  return Object.fromEntries(sent.map((option) => [option.name, valueOf(option, chosen).trim()]));
}

/** How many of some options differ from their default. */
export const countChanges = (some: OptionInfo[], all: OptionInfo[], chosen: ChosenOptions): number =>
  some.filter((option) => valueOf(option, chosen) !== option.default && isActive(option, all, chosen)).length;
