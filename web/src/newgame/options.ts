/** House rules as a form: what is asked, in which words, and what is sent. Which options there are, the box says. */
import type { OptionInfo } from "../api/types";

export type ChosenOptions = Record<string, string>;
type Control = "switch" | "choice" | "number";

interface LabelledValue {
  value: string;
  label: string;
}

/** Options that stand in front; the rest are house rules. */
export const MAIN_OPTIONS = ["memory", "clock"];

const VALUE_LABELS: Record<string, Record<string, string>> = {
  memory: {
    assisted: "Helped",
    notes: "Own notes",
    strict: "By heart",
  },
  captured_pieces: {
    open: "open to both",
    prisoner: "only the capturer looks",
    secret: "only the loser looks",
    stealth: "nobody looks",
  },
};

const MEMORY_HELP: Record<string, string> = {
  assisted: "A piece that was shown stays marked for you.",
  notes: "Nothing stays marked, but you may write notes on pieces.",
  strict: "Nothing stays marked: look well and remember.",
};

/** One sentence about a way to remember. */
export const memoryHelp = (value: string): string => MEMORY_HELP[value] ?? "";

const CLOCKS: LabelledValue[] = [
  { value: "5m+5s", label: "5 min + 5 s a move" },
  { value: "10m+5s", label: "10 min + 5 s a move" },
  { value: "20m+10s", label: "20 min + 10 s a move" },
  { value: "30s/move", label: "30 s for each move" },
  { value: "3d", label: "3 days a move" },
];

export const capitalize = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** `two_square_limit` → “Two square limit”. */
export const readable = (name: string): string => name.replaceAll("_", " ").replaceAll("-", " ");

export const optionTitle = (option: OptionInfo): string => capitalize(readable(option.name));

export function controlFor(option: OptionInfo): Control {
  if (option.range) return "number";
  const isSwitch =
    option.values.length === 2 && option.values.includes("on") && option.values.includes("off");
  return isSwitch ? "switch" : "choice";
}

/** Lowest and highest number the option takes, where it says so. */
export function bounds(option: OptionInfo): { least: number; most: number } | null {
  const found = /(\d+) to (\d+)/.exec(option.range);
  return found ? { least: Number(found[1]), most: Number(found[2]) } : null;
}

/** A value in friendly words. */
export function valueLabel(name: string, value: string): string {
  if (name === "clock") return clockLabel(value);
  return VALUE_LABELS[name]?.[value] ?? readable(value);
}

export const labelledValues = (option: OptionInfo): LabelledValue[] =>
  option.values.map((value) => ({ value, label: valueLabel(option.name, value) }));

/** Clocks to choose from: what the box says first, then some that people like. */
export function clockChoices(option: OptionInfo): LabelledValue[] {
  const own = [...new Set([option.default, ...option.values])];
  return [
    ...own.map((value) => ({ value, label: clockLabel(value) })),
    ...CLOCKS.filter((clock) => !own.includes(clock.value)),
  ];
}

export function clockLabel(value: string): string {
  if (value === "none" || value === "") return "No clock";
  return CLOCKS.find((clock) => clock.value === value)?.label ?? value;
}

export const valueOf = (option: OptionInfo, chosen: ChosenOptions): string =>
  chosen[option.name] ?? option.default;

/** An option that belongs to another one counts only while that one is on. */
export function isActive(option: OptionInfo, all: OptionInfo[], chosen: ChosenOptions): boolean {
  if (!option.needs) return true;
  const other = all.find((one) => one.name === option.needs);
  return !!other && valueOf(other, chosen) !== "off" && isActive(other, all, chosen);
}

/** What is sent: what somebody chose, even where the box says the same, and only what counts. */
export function optionsToSend(all: OptionInfo[], chosen: ChosenOptions): ChosenOptions {
  const told = all.filter((option) => option.name in chosen && isActive(option, all, chosen));
  return Object.fromEntries(told.map((option) => [option.name, valueOf(option, chosen).trim()]));
}

/** How many rules differ from the box. */
export const countChanges = (some: OptionInfo[], all: OptionInfo[], chosen: ChosenOptions): number =>
  some.filter((option) => valueOf(option, chosen) !== option.default && isActive(option, all, chosen)).length;
