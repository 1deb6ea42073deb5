/** Settings of this browser. Nothing about a match is ever stored. */
type Theme = "system" | "light" | "dark";

interface Settings {
  theme: Theme;
  contrast: boolean;
  calm: boolean;
  confirm: boolean;
  strongest: "box" | "high" | "low";
}

const KEY = "flagfall.settings";
const DEFAULTS: Settings = {
  theme: "system",
  contrast: false,
  calm: false,
  confirm: false,
  strongest: "box",
};

function read(): Settings {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>) };
  } catch {
    return { ...DEFAULTS };
  }
}

export const settings = $state<Settings>(read());

export function saveSettings(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // private windows may have no storage; the settings then last until the page is closed
  }
  applySettings();
}

/** Set the attributes that the style sheets use. */
export function applySettings(): void {
  const root = document.documentElement;
  if (settings.theme === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = settings.theme;
  root.dataset["contrast"] = settings.contrast ? "more" : "normal";
  root.dataset["calm"] = String(settings.calm);
}
