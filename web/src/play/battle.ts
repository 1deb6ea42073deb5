/** The pieces that one piece of news revealed or removed, for the battle card. */
import type { News, Side } from "../api/types";
import type { ClientIcon } from "../ui/client-icons";
import { isStrike, signOf } from "./verbs";

interface Fighter {
  piece: string;
  side: Side;
  kind: string;
  isLost: boolean;
  isAttacker: boolean;
}

export interface Battle {
  number: number;
  fighters: Fighter[];
  /** what the attacker does: crossed swords for a fight, an eye for a look */
  sign: ClientIcon;
  text: string;
}

/** The battle in a piece of news, or what was removed without one; null if there is neither. */
export function battleIn(news: News): Battle | null {
  const events = news.events ?? [];
  const strike = events.find((event) => isStrike(event.what));
  if (!strike && !events.some((event) => event.what === "removed")) return null;
  const lost = new Set(events.filter((event) => event.what === "removed").map((event) => event.piece));
  const fighters = new Map<string, Fighter>();
  for (const event of events) {
    if ((event.what !== "shown" && event.what !== "removed") || !event.piece || !event.side) continue;
    const known = fighters.get(event.piece);
    fighters.set(event.piece, {
      piece: event.piece,
      side: event.side,
      kind: event.kind || known?.kind || "",
      isLost: lost.has(event.piece),
      isAttacker: event.piece === strike?.piece,
    });
  }
  if (fighters.size === 0) return null;
  const order = [...fighters.values()].sort((a, b) => Number(b.isAttacker) - Number(a.isAttacker));
  return { number: news.number, fighters: order, sign: signOf(strike?.what ?? ""), text: news.text };
}

/** All battles from a number on, oldest first. */
export const battlesSince = (history: readonly News[], number: number): Battle[] =>
  history.filter((news) => news.number >= number).flatMap((news) => battleIn(news) ?? []);
