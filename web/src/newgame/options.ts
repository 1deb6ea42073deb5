/** Labels, controls and values of the options in the new-game form. The server says which options there are. */
import type { OptionInfo } from "../api/types";

export type ChosenOptions = Record<string, string>;
type Control = "switch" | "choice" | "number";

interface LabelledValue {
  value: string;
  label: string;
}

/** Options with a control of their own; all others are house rules. */
export const MAIN_OPTIONS = ["memory", "clock"];

const COMMON_CLOCKS: LabelledValue[] = [
  { value: "5m+5s", label: "5 min + 5 s per move" },
  { value: "10m+5s", label: "10 min + 5 s per move" },
  { value: "20m+10s", label: "20 min + 10 s per move" },
  { value: "30s/move", label: "30 s per move" },
  { value: "1d", label: "1 day per move" },
  { value: "3d", label: "3 days per move" },
  { value: "7d", label: "7 days per move" },
];

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
  const own = [...new Set([option.default, ...option.values])];
  return [
    ...own.map((value) => ({ value, label: clockLabel(value) })),
    ...COMMON_CLOCKS.filter((clock) => !own.includes(clock.value)),
  ];
}

export function clockLabel(value: string): string {
  if (value === "none" || value === "") return "No clock";
  const days = /^(\d+)d$/.exec(value)?.[1];
  if (days) return `${days} ${days === "1" ? "day" : "days"} per move`;
  return COMMON_CLOCKS.find((clock) => clock.value === value)?.label ?? value;
}

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
