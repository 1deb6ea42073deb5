/** What this person likes, kept in the browser. Nothing about a game is ever kept here. */
type Theme = "system" | "light" | "dark";

interface Kept {
  theme: Theme;
  contrast: boolean;
  calm: boolean;
  confirm: boolean;
  strongest: "box" | "high" | "low";
}

const KEY = "flagfall.settings";
const DEFAULTS: Kept = { theme: "system", contrast: false, calm: false, confirm: false, strongest: "box" };

function read(): Kept {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Kept>) };
  } catch {
    return { ...DEFAULTS };
  }
}

export const settings = $state<Kept>(read());

export function keepSettings(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // private windows may refuse; the settings then last as long as the page
  }
  showSettings();
}

/** Put them where the style sheet sees them. */
export function showSettings(): void {
  const root = document.documentElement;
  if (settings.theme === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = settings.theme;
  root.dataset["contrast"] = settings.contrast ? "more" : "normal";
  root.dataset["calm"] = String(settings.calm);
}
