/** How fast pieces move: the player's setting, and none where the system asks for less motion. */
import { settings } from "../ui/settings.svelte";

/** How much longer than normal a step lasts. */
const RATES = { off: 0, fast: 0.6, normal: 1, slow: 1.7 } as const;

export type MotionSpeed = keyof typeof RATES;

/** The factor for all times; 0 for no motion at all. */
export function motionRate(): number {
  const isReduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  return isReduced || document.hidden ? 0 : RATES[settings.motion];
}
