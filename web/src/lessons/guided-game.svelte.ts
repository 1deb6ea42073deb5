/** A match with a guide: what it has said and when, kept in this browser so that a reload changes nothing. */
import { api } from "../api/http";
import type { GuideInfo, GuideLine, MatchSnapshot } from "../api/types";
import { markDone } from "./progress.svelte";

const KEY = "flagfall.guided";
const LEVEL = "recruit";
const MAX_KEPT = 10;

interface Kept {
  match: string;
  /** id of the guide */
  guide: string;
  /** event → number of the snapshot in which it was said */
  said: Record<string, number>;
  /** how many texts about the setup have been read */
  step: number;
  isOff: boolean;
  isOver: boolean;
}

function read(): Kept[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter((one: Kept) => typeof one?.said === "object") : [];
  } catch {
    return [];
  }
}

let all: readonly Kept[] = read();

function keep(changed: Kept): void {
  all = [changed, ...all.filter(({ match }) => match !== changed.match)].slice(0, MAX_KEPT);
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // private windows may have no storage; the guide then lasts until the page is closed
  }
}

export class GuidedGame {
  #kept = $state.raw() as Kept;
  /** what the guide says now */
  line = $state.raw<GuideLine | null>(null);

  constructor(kept: Kept) {
    this.#kept = kept;
  }

  get guide(): string {
    return this.#kept.guide;
  }

  get step(): number {
    return this.#kept.step;
  }

  get isOn(): boolean {
    return !this.#kept.isOff;
  }

  /** Say the first thing that fits and has not been said; a snapshot that is seen again says the same. */
  update({ number, phase, is_open, guide = [] }: MatchSnapshot): void {
    const { said } = this.#kept;
    if (phase === "over" && !this.#kept.isOver) {
      this.#change({ isOver: true });
      if (is_open) markDone(this.guide);
    }
    let line = guide.find(({ event }) => said[event] === number);
    if (!line) {
      line = this.isOn ? guide.find(({ event }) => !(event in said)) : undefined;
      if (line) this.#change({ said: { ...said, [line.event]: number } });
    }
    this.line = line ?? null;
  }

  readStep(step: number): void {
    this.#change({ step });
  }

  /** Leave the guide, or have it come along again; the game goes on either way. */
  switch(isOn: boolean): void {
    this.#change({ isOff: !isOn });
  }

  #change(change: Partial<Kept>): void {
    this.#kept = { ...this.#kept, ...change };
    keep(this.#kept);
  }
}

/** The guide of a match; null for an ordinary one. */
export function guidedGame(match: string): GuidedGame | null {
  const kept = all.find((one) => one.match === match);
  return kept ? new GuidedGame(kept) : null;
}

/** The match with this guide that is not over yet; empty if there is none. */
export const unfinishedMatch = (guide: string): string =>
  all.find((one) => one.guide === guide && !one.isOver)?.match ?? "";

/** Begin a game with a guide; return its path. */
export async function beginGuided({ id, game, side }: GuideInfo): Promise<string> {
  const made = await api.createMatch({ game, side, level: LEVEL, opponent: "computer", training: true });
  keep({ match: made.match, guide: id, said: {}, step: 0, isOff: false, isOver: false });
  return `/play/${made.match}`;
}
