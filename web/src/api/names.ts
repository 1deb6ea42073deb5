/** Names of players on the screen. */

/** The short name of a player: “Computer (Marshal)” → “Marshal”. People cannot have such names. */
export function playerName(name: string): string {
  const level = /^Computer \((.+)\)$/.exec(name)?.[1];
  return level ? level.charAt(0).toUpperCase() + level.slice(1) : name;
}
