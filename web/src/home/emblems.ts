/** The icons on the cover of a box: a large one and two behind it. */
import type { ClientIcon } from "../ui/client-icons";

interface Emblem {
  front: ClientIcon;
  left: ClientIcon;
  right: ClientIcon;
}

const EMBLEMS: Record<string, Emblem> = {
  onyx: { front: "laurel", left: "swords", right: "castle" },
  "duel-masters": { front: "hydra", left: "minotaur", right: "magic" },
  lotr: { front: "ring", left: "mountains", right: "burningEye" },
  "fire-and-ice": { front: "dragon", left: "volcano", right: "snow" },
  "spin-master": { front: "planet", left: "lander", right: "moon" },
  barrage: { front: "bugle", left: "cannon", right: "sabres" },
  mini: { front: "puzzle", left: "soldier", right: "flag" },
};

const DEFAULT: Emblem = { front: "flag", left: "tower", right: "shield" };

/** Whether a box comes with a cover of its own. */
export const hasCover = (box: string): boolean => Object.hasOwn(EMBLEMS, box);

/** The emblem of a box, or a default one. */
export const emblemOf = (box: string): Emblem => EMBLEMS[box] ?? DEFAULT;
