/** Names of players on the screen. */
import { hasMessage, t } from "../languages";

/** What the server calls a player whose name was deleted. */
const DELETED = "Guest";

/** The short name of a player: “Computer (Marshal)” → “Marshal”. People cannot have such names. */
export function playerName(name: string): string {
  const level = /^Computer \((.+)\)$/.exec(name)?.[1];
  if (!level) return name === DELETED ? t("common.guest") : name;
  const called = level.toLowerCase();
  const key = `levels.${called.startsWith("network-") ? "network" : called}.name`;
  return hasMessage(key) ? t(key) : level.charAt(0).toUpperCase() + level.slice(1);
}
