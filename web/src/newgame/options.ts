/** House rules as a form: what is asked, in which words, and what is sent. Which options there are, the box says. */
import type { OptionInfo } from "../api/types";

export type Chosen = Record<string, string>;
type Control = "switch" | "choice" | "number";

interface Answer {
  value: string;
  words: string;
}

/** Options that stand in front; the rest are house rules. */
export const UP_FRONT = ["memory", "clock"];

const WORDS: Record<string, Record<string, string>> = {
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

const MORE_WORDS: Record<string, string> = {
  assisted: "A piece that was shown stays marked for you.",
  notes: "Nothing stays marked, but you may write notes on pieces.",
  strict: "Nothing stays marked: look well and remember.",
};

/** One sentence about a way to remember. */
export const memoryWords = (value: string): string => MORE_WORDS[value] ?? "";

const CLOCKS: Answer[] = [
  { value: "5m+5s", words: "5 min + 5 s a move" },
  { value: "10m+5s", words: "10 min + 5 s a move" },
  { value: "20m+10s", words: "20 min + 10 s a move" },
  { value: "30s/move", words: "30 s for each move" },
  { value: "3d", words: "3 days a move" },
];

export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** `two_square_limit` → “Two square limit”. */
export const spoken = (name: string): string => name.replaceAll("_", " ").replaceAll("-", " ");

export const title = (option: OptionInfo): string => capital(spoken(option.name));

export function control(option: OptionInfo): Control {
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
export function valueWords(name: string, value: string): string {
  if (name === "clock") return clockWords(value);
  return WORDS[name]?.[value] ?? spoken(value);
}

export const answers = (option: OptionInfo): Answer[] =>
  option.values.map((value) => ({ value, words: valueWords(option.name, value) }));

/** Clocks to choose from: what the box says first, then some that people like. */
export function clocks(option: OptionInfo): Answer[] {
  const own = [...new Set([option.default, ...option.values])];
  return [
    ...own.map((value) => ({ value, words: clockWords(value) })),
    ...CLOCKS.filter((clock) => !own.includes(clock.value)),
  ];
}

export function clockWords(value: string): string {
  if (value === "none" || value === "") return "No clock";
  return CLOCKS.find((clock) => clock.value === value)?.words ?? value;
}

export const valueOf = (option: OptionInfo, chosen: Chosen): string => chosen[option.name] ?? option.default;

/** An option that belongs to another one counts only while that one is on. */
export function isOpen(option: OptionInfo, all: OptionInfo[], chosen: Chosen): boolean {
  if (!option.needs) return true;
  const other = all.find((one) => one.name === option.needs);
  return !!other && valueOf(other, chosen) !== "off" && isOpen(other, all, chosen);
}

/** What is sent: what somebody chose, even where the box says the same, and only what counts. */
export function wishes(all: OptionInfo[], chosen: Chosen): Chosen {
  const told = all.filter((option) => option.name in chosen && isOpen(option, all, chosen));
  return Object.fromEntries(told.map((option) => [option.name, valueOf(option, chosen).trim()]));
}

/** How many rules differ from the box. */
export const changes = (some: OptionInfo[], all: OptionInfo[], chosen: Chosen): number =>
  some.filter((option) => valueOf(option, chosen) !== option.default && isOpen(option, all, chosen)).length;
