/** Requests to the server. Every answer is the shape that was asked for, or a `ApiError` with one sentence. */
import type {
  Catalogue,
  GameInfo,
  Guest,
  Invitation,
  SaveSetupRequest,
  Lobby,
  MatchSummary,
  NewMatch,
  NewsPage,
  Phrase,
  ErrorBody,
  Replay,
  SavedSetup,
  SavedSetupPage,
  SetupAnswer,
  SetupRequest,
  MatchSnapshot,
  Viewer,
} from "./types";

/** The server says no. The message is a sentence for people. */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    sentence: string,
  ) {
    super(sentence);
  }
}

type Method = "GET" | "POST" | "PUT" | "DELETE";

async function request<Shape>(method: Method, path: string, body?: unknown): Promise<Shape> {
  let answer: Response;
  const body_: RequestInit = { method, credentials: "same-origin" };
  if (body !== undefined) {
    body_.headers = { "content-type": "application/json" };
    body_.body = JSON.stringify(body);
  }
  try {
    answer = await fetch(path, body_);
  } catch {
    throw new ApiError("offline", "The server does not answer. Check the connection and try again.");
  }
  if (answer.ok) return answer.status === 204 ? (undefined as Shape) : ((await answer.json()) as Shape);
  let said: Partial<ErrorBody> = {};
  try {
    said = (await answer.json()) as ErrorBody;
  } catch {
    // not one of the server's own sentences
  }
  throw new ApiError(
    said.code ?? `http-${answer.status}`,
    said.sentence ?? "Something went wrong; try again.",
  );
}

const query = (fields: Record<string, string | number>): string =>
  new URLSearchParams(Object.entries(fields).map(([key, value]) => [key, String(value)])).toString();

let guest: Promise<Guest> | undefined;

export const api = {
  request,

  /** Who we are; somebody without a cookie becomes a guest. */
  me(): Promise<Guest> {
    guest ??= request<Guest>("GET", "/api/me").catch((error: unknown) => {
      if (error instanceof ApiError && error.code === "no-guest")
        return request<Guest>("POST", "/api/guests", { name: "Guest" });
      guest = undefined;
      throw error;
    });
    return guest;
  },
  async rename(name: string): Promise<Guest> {
    await this.me();
    const renamed = await request<Guest>("PUT", "/api/me", { name });
    guest = Promise.resolve(renamed);
    return renamed;
  },
  myMatches: () => request<{ matches: MatchSummary[] }>("GET", "/api/me/matches"),
  catalogue: () => request<Catalogue>("GET", "/api/games"),
  game: (id: string) => request<GameInfo>("GET", `/api/games/${id}`),
  setup: (game: string, body_: SetupRequest) =>
    request<SetupAnswer>("POST", `/api/games/${game}/setup`, body_),
  mySetups: (game: string) => request<SavedSetupPage>("GET", `/api/me/setups?${query({ game })}`),
  saveSetup: (body_: SaveSetupRequest) => request<SavedSetup>("PUT", "/api/me/setups", body_),
  deleteSetup: (id: string) => request<SavedSetupPage>("DELETE", `/api/me/setups/${encodeURIComponent(id)}`),
  async create(body_: NewMatch): Promise<MatchSnapshot> {
    await this.me();
    return request<MatchSnapshot>("POST", "/api/matches", body_);
  },
  lobby: () => request<Lobby>("GET", "/api/lobby"),
  async join(match: string): Promise<MatchSnapshot> {
    await this.me();
    return request<MatchSnapshot>("POST", `/api/matches/${encodeURIComponent(match)}/join`);
  },
  invitation: (token: string) => request<Invitation>("GET", `/api/invitations/${encodeURIComponent(token)}`),
  async accept(token: string): Promise<MatchSnapshot> {
    await this.me();
    return request<MatchSnapshot>("POST", `/api/invitations/${encodeURIComponent(token)}`);
  },
  state: (match: string, viewer: Viewer | "", since = 0) =>
    request<MatchSnapshot>(
      "GET",
      `/api/matches/${encodeURIComponent(match)}/state?${query({ as: viewer, since })}`,
    ),
  news: (match: string, viewer: Viewer, before: number) =>
    request<NewsPage>(
      "GET",
      `/api/matches/${encodeURIComponent(match)}/news?${query({ as: viewer, before })}`,
    ),
  replay: (match: string, viewer: Viewer, first: number, count: number) =>
    request<Replay>(
      "GET",
      `/api/matches/${encodeURIComponent(match)}/replay?${query({ as: viewer, first, count })}`,
    ),
  phrases: () => request<{ phrases: Phrase[] }>("GET", "/api/phrases"),
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
