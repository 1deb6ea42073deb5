/** The reader's language. `t("settings.title")` is a message in it; never call it while a module is being loaded. */
import { Messages, type Arguments, type Group } from "./messages";

export const LANGUAGES = { en: "English", nl: "Nederlands", de: "Deutsch", fr: "Français" } as const;
export type Language = keyof typeof LANGUAGES;

const STORED = "flagfall.language";
const LOADERS: Record<Language, () => Promise<{ default: Record<string, Group> }>> = {
  en: () => import("./en"),
  nl: () => import("./nl"),
  de: () => import("./de"),
  fr: () => import("./fr"),
};
const LOCALES: Record<Language, string> = { en: "en-GB", nl: "nl", de: "de", fr: "fr" };

let current: Language = "en";
let messages: Messages | null = null;

function isLanguage(text: string | null | undefined): text is Language {
  return typeof text === "string" && Object.hasOwn(LANGUAGES, text);
}

/** Return the language that was chosen here, or else the first that the browser asks for and we have. */
function wanted(): Language {
  try {
    const stored = localStorage.getItem(STORED);
    if (isLanguage(stored)) return stored;
  } catch {
    // storage may be forbidden; the browser's language will do
  }
  return navigator.languages.map((tag) => tag.toLowerCase().split("-")[0]).find(isLanguage) ?? "en";
}

/** Load the messages of the reader's language; the page is shown after that. */
export async function loadLanguage(language: Language = wanted()): Promise<void> {
  useMessages(language, (await LOADERS[language]()).default);
}

/** Use these messages. */
export function useMessages(language: Language, files: Record<string, Group>): void {
  current = language;
  messages = new Messages(LOCALES[language], files);
  document.documentElement.lang = language;
}

/** Choose a language; the page is loaded anew in it. */
export function chooseLanguage(language: Language): void {
  try {
    localStorage.setItem(STORED, language);
  } finally {
    location.reload();
  }
}

/** Return the code of the language, for the API. */
export const language = (): Language => current;

/** Return the locale, for dates and numbers. */
export const locale = (): string => LOCALES[current];

/** Return a message in the reader's language. */
export function t(key: string, given: Arguments = {}): string {
  if (messages === null) throw new Error(`“${key}” was asked for before the language was loaded.`);
  return messages.say(key, given);
}

/** Return whether there is a message with this key. */
export const hasMessage = (key: string): boolean => messages?.has(key) ?? false;

/** Return a message in two parts, before and after an argument that is not text, such as a link. */
export function around(key: string, name: string, given: Arguments = {}): [string, string] {
  const [before = "", after = ""] = t(key, { ...given, [name]: "\u0000" }).split("\u0000");
  return [before, after];
}
