/** Labels, controls and values of the options in the new-game form. The server says which options there are. */
import type { LevelInfo, OptionInfo } from "../api/types";

export type ChosenOptions = Record<string, string>;
type Control = "switch" | "choice" | "number";

interface LabelledValue {
  value: string;
  label: string;
}

/** Options with a control of their own; all others are house rules. */
export const MAIN_OPTIONS = ["memory", "clock"];

const VALUE_LABELS: Record<string, Record<string, string>> = {
  memory: {
    assisted: "Assisted",
    notes: "Own notes",
    strict: "From memory",
  },
  captured_pieces: {
    open: "both players see them",
    prisoner: "only the capturer sees them",
    secret: "only the loser sees them",
    stealth: "nobody sees them",
  },
};

const MEMORY_HELP: Record<string, string> = {
  assisted: "Pieces you have seen stay marked.",
  notes: "Pieces you have seen are hidden again, but you can write notes on them.",
  strict: "Pieces you have seen are hidden again. Try to remember them!",
};

export const memoryHelp = (value: string): string => MEMORY_HELP[value] ?? "";

const COMMON_CLOCKS: LabelledValue[] = [
  { value: "5m+5s", label: "5 min + 5 s per move" },
  { value: "10m+5s", label: "10 min + 5 s per move" },
  { value: "20m+10s", label: "20 min + 10 s per move" },
  { value: "30s/move", label: "30 s per move" },
  { value: "3d", label: "3 days per move" },
];

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `two_square_limit` → “two square limit”. */
export const readable = (name: string): string => name.replaceAll("_", " ").replaceAll("-", " ");

export const optionTitle = (option: OptionInfo): string => capitalize(readable(option.name));

export function controlFor(option: OptionInfo): Control {
  if (option.max !== null) return "number";
  const isSwitch =
    option.values.length === 2 && option.values.includes("on") && option.values.includes("off");
  return isSwitch ? "switch" : "choice";
}

export function valueLabel(name: string, value: string): string {
  if (name === "clock") return clockLabel(value);
  return VALUE_LABELS[name]?.[value] ?? readable(value);
}

export const labelledValues = (option: OptionInfo): LabelledValue[] =>
  option.values.map((value) => ({ value, label: valueLabel(option.name, value) }));

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

/** The level that the server uses if none is named. */
const SERVER_DEFAULT = "greedy";

/** The level to select at first: the server's default, or one in the middle of the list. */
export const defaultLevel = (levels: readonly LevelInfo[]): string =>
  (levels.find((level) => level.id === SERVER_DEFAULT) ?? levels[Math.floor(levels.length / 2)])?.id ?? "";
