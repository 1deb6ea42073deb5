/** Settings of this browser. */
import type { PieceSetName } from "../board/layout";

type Theme = "system" | "light" | "dark";

interface Settings {
  theme: Theme;
  contrast: boolean;
  motion: "off" | "fast" | "normal" | "slow";
  sound: boolean;
  /** from 0 to 100 */
  volume: number;
  confirm: boolean;
  pieces: PieceSetName;
  strongest: "box" | "high" | "low";
}

/** Settings as they are stored; 0.2.0 had `calm` for no motion. */
type Stored = Partial<Settings> & { calm?: boolean };

const KEY = "flagfall.settings";
const DEFAULTS: Settings = {
  theme: "system",
  contrast: false,
  motion: "normal",
  sound: true,
  volume: 60,
  confirm: false,
  pieces: "figures",
  strongest: "box",
};

function read(): Settings {
  try {
    const { calm, ...stored } = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Stored;
    return { ...DEFAULTS, ...(calm ? { motion: "off" } : {}), ...stored };
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

/** High contrast is on where the player or the system asks for it. */
const moreContrast = globalThis.matchMedia?.("(prefers-contrast: more)");
moreContrast?.addEventListener("change", () => applySettings());

/** Set the attributes that the style sheets use. */
export function applySettings(): void {
  const root = document.documentElement;
  if (settings.theme === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = settings.theme;
  root.dataset["contrast"] = settings.contrast || moreContrast?.matches ? "more" : "normal";
  root.dataset["motion"] = settings.motion;
}
