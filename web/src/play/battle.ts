/** What was shown and lost in one entry of the history, for the battle card. */
import type { News, Side } from "../api/types";

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
  sentence: string;
}

const STRIKES = new Set(["attack", "shoot", "swing", "sweep", "detect", "convert", "guess", "spot"]);

/** The battle in an entry, or what was taken without one. */
export function battleIn(news: News): Battle | null {
  const events = news.events ?? [];
  const strike = events.find((event) => STRIKES.has(event.what));
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
  const order = [...fighters.values()].sort(
    (one, other) => Number(other.isAttacker) - Number(one.isAttacker),
  );
  return { number: news.number, fighters: order, sentence: news.text };
}

/** Battles since a number, oldest first. */
export const battlesSince = (history: readonly News[], number: number): Battle[] =>
  history.filter((news) => news.number >= number).flatMap((news) => battleIn(news) ?? []);
