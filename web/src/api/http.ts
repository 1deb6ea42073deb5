/** Requests to the server. Every answer is the shape that was asked for, or a `Refusal` with one sentence. */
import type {
  Catalogue,
  GameInfo,
  Guest,
  Invitation,
  KeepSetup,
  Lobby,
  MatchLine,
  NewMatch,
  NewsPage,
  Phrase,
  Refused,
  Replay,
  SavedSetup,
  SavedSetups,
  SetupAnswer,
  SetupRequest,
  State,
  Viewer,
} from "./types";

/** The server says no. The message is a sentence for people. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    sentence: string,
  ) {
    super(sentence);
  }
}

type Method = "GET" | "POST" | "PUT" | "DELETE";

async function ask<Shape>(method: Method, path: string, body?: unknown): Promise<Shape> {
  let answer: Response;
  const wish: RequestInit = { method, credentials: "same-origin" };
  if (body !== undefined) {
    wish.headers = { "content-type": "application/json" };
    wish.body = JSON.stringify(body);
  }
  try {
    answer = await fetch(path, wish);
  } catch {
    throw new Refusal("offline", "The server does not answer. Check the connection and try again.");
  }
  if (answer.ok) return answer.status === 204 ? (undefined as Shape) : ((await answer.json()) as Shape);
  let said: Partial<Refused> = {};
  try {
    said = (await answer.json()) as Refused;
  } catch {
    // not one of the server's own sentences
  }
  throw new Refusal(
    said.code ?? `http-${answer.status}`,
    said.sentence ?? "Something went wrong; try again.",
  );
}

const query = (fields: Record<string, string | number>): string =>
  new URLSearchParams(Object.entries(fields).map(([key, value]) => [key, String(value)])).toString();

let guest: Promise<Guest> | undefined;

export const api = {
  ask,

  /** Who we are; somebody without a cookie becomes a guest. */
  me(): Promise<Guest> {
    guest ??= ask<Guest>("GET", "/api/me").catch((error: unknown) => {
      if (error instanceof Refusal && error.code === "no-guest")
        return ask<Guest>("POST", "/api/guests", { name: "Guest" });
      guest = undefined;
      throw error;
    });
    return guest;
  },
  async rename(name: string): Promise<Guest> {
    await this.me();
    const renamed = await ask<Guest>("PUT", "/api/me", { name });
    guest = Promise.resolve(renamed);
    return renamed;
  },
  myMatches: () => ask<{ matches: MatchLine[] }>("GET", "/api/me/matches"),
  catalogue: () => ask<Catalogue>("GET", "/api/games"),
  game: (id: string) => ask<GameInfo>("GET", `/api/games/${id}`),
  setup: (game: string, wish: SetupRequest) => ask<SetupAnswer>("POST", `/api/games/${game}/setup`, wish),
  mySetups: (game: string) => ask<SavedSetups>("GET", `/api/me/setups?${query({ game })}`),
  keepSetup: (wish: KeepSetup) => ask<SavedSetup>("PUT", "/api/me/setups", wish),
  dropSetup: (id: string) => ask<SavedSetups>("DELETE", `/api/me/setups/${encodeURIComponent(id)}`),
  async create(wish: NewMatch): Promise<State> {
    await this.me();
    return ask<State>("POST", "/api/matches", wish);
  },
  lobby: () => ask<Lobby>("GET", "/api/lobby"),
  async join(match: string): Promise<State> {
    await this.me();
    return ask<State>("POST", `/api/matches/${encodeURIComponent(match)}/join`);
  },
  invitation: (token: string) => ask<Invitation>("GET", `/api/invitations/${encodeURIComponent(token)}`),
  async accept(token: string): Promise<State> {
    await this.me();
    return ask<State>("POST", `/api/invitations/${encodeURIComponent(token)}`);
  },
  state: (match: string, eyes: Viewer | "", since = 0) =>
    ask<State>("GET", `/api/matches/${encodeURIComponent(match)}/state?${query({ as: eyes, since })}`),
  news: (match: string, eyes: Viewer, before: number) =>
    ask<NewsPage>("GET", `/api/matches/${encodeURIComponent(match)}/news?${query({ as: eyes, before })}`),
  replay: (match: string, eyes: Viewer, first: number, count: number) =>
    ask<Replay>(
      "GET",
      `/api/matches/${encodeURIComponent(match)}/replay?${query({ as: eyes, first, count })}`,
    ),
  phrases: () => ask<{ phrases: Phrase[] }>("GET", "/api/phrases"),
};

const games = new Map<string, Promise<GameInfo>>();

/** What the box says of a game; asked for once. */
export function gameInfo(id: string): Promise<GameInfo> {
  let known = games.get(id);
  if (!known) {
    known = api.game(id);
    known.catch(() => games.delete(id));
    games.set(id, known);
  }
  return known;
}
