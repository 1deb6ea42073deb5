/** HTTP requests to the server. A failed one throws an `ApiError` whose message can be shown. */
import { language, t } from "../languages";
import type {
  Advice,
  Beliefs,
  BoxCheck,
  Catalogue,
  ContinueRequest,
  Courses,
  Device,
  ErrorBody,
  GameInfo,
  Guest,
  Invitation,
  LabRequest,
  LabRun,
  LessonState,
  Lobby,
  MatchSnapshot,
  MatchSummary,
  MyGames,
  NewMatch,
  NewsPage,
  OpenedRecord,
  OpenedRecords,
  OpenedBox,
  Phrase,
  PieceChances,
  Placements,
  PushState,
  PuzzleList,
  PuzzleRequest,
  PuzzleState,
  Replay,
  Review,
  SavedSetup,
  SavedSetupPage,
  SaveSetupRequest,
  SetupAnswer,
  SetupRequest,
  SharedBox,
  Side,
  SimulateBox,
  Simulation,
  Statistics,
  Viewer,
  Workshop,
  WorkshopSchema,
} from "./types";

/** A request failed; the message is a sentence for the user. */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** What to show for a caught error. */
export const errorMessage = (error: unknown): string =>
  error instanceof ApiError ? error.message : t("connection.wrong");

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** What the client reads of a record as JSON. */
export interface GameRecord {
  game: string;
  players: { south: string; north: string };
  options: Record<string, string>;
  turns: { text: string }[];
}

async function request<Body>(method: Method, path: string, body?: unknown, isText = false): Promise<Body> {
  const headers: Record<string, string> = { "accept-language": language() };
  const init: RequestInit = { method, credentials: "same-origin", headers };
  if (body !== undefined) {
    headers["content-type"] = "application/json";
    init.body = JSON.stringify(body);
  }
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new ApiError("offline", t("connection.no-answer"));
  }
  if (response.ok && isText) return (await response.text()) as Body;
  if (response.ok) return response.status === 204 ? (undefined as Body) : ((await response.json()) as Body);
  let problem: Partial<ErrorBody> = {};
  try {
    problem = (await response.json()) as ErrorBody;
  } catch {
    // an error page of a proxy has no JSON body
  }
  throw new ApiError(problem.code ?? `http-${response.status}`, problem.sentence ?? t("connection.wrong"));
}

const query = (fields: Record<string, string | number>): string =>
  new URLSearchParams(Object.entries(fields).map(([key, value]) => [key, String(value)])).toString();

const boxPath = (id: string): string => `/api/workshop/${encodeURIComponent(id)}`;
const matchPath = (id: string): string => `/api/matches/${encodeURIComponent(id)}`;

let guest: Promise<Guest> | undefined;

export const api = {
  /** The current guest; a visitor without a cookie becomes one, with a default name. */
  me(): Promise<Guest> {
    guest ??= request<Guest>("POST", "/api/guests", {}).catch((error: unknown) => {
      guest = undefined;
      throw error;
    });
    return guest;
  },
  /** The current guest, or null for a visitor without a cookie. */
  visitor: () => request<{ guest: Guest | null }>("GET", "/api/visitor"),
  async rename(name: string): Promise<Guest> {
    await this.me();
    const renamed = await request<Guest>("PUT", "/api/me", { name });
    guest = Promise.resolve(renamed);
    return renamed;
  },
  myMatches: () => request<{ matches: MatchSummary[] }>("GET", "/api/me/matches"),
  myGames: (filters: Record<string, string | number>) =>
    request<MyGames>("GET", `/api/me/games?${query(filters)}`),
  myStatistics: (filters: Record<string, string | number>) =>
    request<Statistics>("GET", `/api/me/statistics?${query(filters)}`),
  deleteMatch: (id: string) => request<unknown>("DELETE", `/api/me/matches/${encodeURIComponent(id)}`),
  /** Delete the guest with this id and everything that is kept of them. */
  async deleteEverything(id: string): Promise<void> {
    await request("DELETE", "/api/me", { guest: id });
    guest = undefined;
  },
  catalogue: () => request<Catalogue>("GET", "/api/games"),
  game: (id: string) => request<GameInfo>("GET", `/api/games/${id}`),
  setup: (game: string, body: SetupRequest) => request<SetupAnswer>("POST", `/api/games/${game}/setup`, body),
  mySetups: (game: string) => request<SavedSetupPage>("GET", `/api/me/setups?${query({ game })}`),
  async saveSetup(body: SaveSetupRequest): Promise<SavedSetup> {
    await this.me();
    return request<SavedSetup>("PUT", "/api/me/setups", body);
  },
  deleteSetup: (id: string) => request<SavedSetupPage>("DELETE", `/api/me/setups/${encodeURIComponent(id)}`),
  async createMatch(body: NewMatch): Promise<MatchSnapshot> {
    await this.me();
    return request<MatchSnapshot>("POST", "/api/matches", body);
  },
  lobby: () => request<Lobby>("GET", "/api/lobby"),
  async joinMatch(id: string): Promise<MatchSnapshot> {
    await this.me();
    return request<MatchSnapshot>("POST", `${matchPath(id)}/join`);
  },
  invitation: (token: string) => request<Invitation>("GET", `/api/invitations/${encodeURIComponent(token)}`),
  async acceptInvitation(token: string): Promise<MatchSnapshot> {
    await this.me();
    return request<MatchSnapshot>("POST", `/api/invitations/${encodeURIComponent(token)}`);
  },
  snapshot: (id: string, viewer: Viewer | "") =>
    request<MatchSnapshot>("GET", `${matchPath(id)}/state?${query({ as: viewer, since: 0 })}`),
  news: (id: string, viewer: Viewer, before: number) =>
    request<NewsPage>("GET", `${matchPath(id)}/news?${query({ as: viewer, before })}`),
  replay: (id: string, viewer: Viewer, first: number, count: number) =>
    request<Replay>("GET", `${matchPath(id)}/replay?${query({ as: viewer, first, count })}`),
  record: (id: string) => request<GameRecord>("GET", `${matchPath(id)}/record.json`),
  /** The record as text, whole or only so many turns of it. */
  recordText: (id: string, turns: number) =>
    request<string>("GET", `${matchPath(id)}/record?${query({ turns })}`, undefined, true),
  /** Play on from a moment of a finished game. */
  async continueMatch(id: string, body: ContinueRequest): Promise<MatchSnapshot> {
    await this.me();
    return request<MatchSnapshot>("POST", `${matchPath(id)}/continue`, body);
  },
  review: (id: string, viewer: Viewer) =>
    request<Review>("GET", `${matchPath(id)}/review?${query({ as: viewer })}`),
  async startReview(id: string): Promise<Review> {
    await this.me();
    return request<Review>("POST", `${matchPath(id)}/review`);
  },
  stopReview: (id: string) => request<Review>("DELETE", `${matchPath(id)}/review`),
  beliefs: (id: string, viewer: Viewer, turn: number) =>
    request<Beliefs>("GET", `${matchPath(id)}/review/beliefs?${query({ as: viewer, turn })}`),
  async openRecord(text: string): Promise<OpenedRecord> {
    await this.me();
    return request<OpenedRecord>("POST", "/api/records", { text });
  },
  openedRecords: () => request<OpenedRecords>("GET", "/api/records"),
  openedRecord: (id: string) => request<OpenedRecord>("GET", `/api/records/${encodeURIComponent(id)}`),
  deleteRecord: (id: string) => request<OpenedRecords>("DELETE", `/api/records/${encodeURIComponent(id)}`),
  hint: (id: string, number: number) => request<Advice>("POST", `${matchPath(id)}/hint`, { number }),
  chances: (id: string, number: number, square: string) =>
    request<PieceChances>("POST", `${matchPath(id)}/chances`, { number, square }),
  placements: (game: string, side: Side) =>
    request<Placements>("GET", `/api/lab/${game}/placements?${query({ side })}`),
  labRun: () => request<{ run: LabRun | null }>("GET", "/api/lab/run"),
  async startLabRun(body: LabRequest): Promise<{ run: LabRun | null }> {
    await this.me();
    return request<{ run: LabRun | null }>("POST", "/api/lab/run", body);
  },
  cancelLabRun: () => request<{ run: LabRun | null }>("DELETE", "/api/lab/run"),
  courses: () => request<Courses>("GET", "/api/lessons"),
  boxCourses: (box: string) => request<Courses>("GET", `/api/lessons/${encodeURIComponent(box)}`),
  lesson: (id: string, actions: readonly string[]) =>
    request<LessonState>("POST", `/api/lessons/${id}`, { actions, explain: true }),
  puzzles: () => request<PuzzleList>("GET", "/api/puzzles"),
  puzzle: (id: string) => request<PuzzleState>("GET", `/api/puzzles/${encodeURIComponent(id)}`),
  async tryPuzzle(id: string, body: PuzzleRequest): Promise<PuzzleState> {
    await this.me();
    return request<PuzzleState>("POST", `/api/puzzles/${encodeURIComponent(id)}`, body);
  },
  push: () => request<PushState>("GET", "/api/push"),
  addDevice: (device: Device) => request<PushState>("POST", "/api/push", device),
  removeDevice: (endpoint: string) => request<PushState>("DELETE", "/api/push", { endpoint }),
  async workshop(): Promise<Workshop> {
    await this.me();
    return request<Workshop>("GET", "/api/workshop");
  },
  async workshopSchema(): Promise<WorkshopSchema> {
    await this.me();
    return request<WorkshopSchema>("GET", "/api/workshop/schema");
  },
  checkBox: (text: string, game: string) => request<BoxCheck>("POST", "/api/workshop/check", { text, game }),
  async createBox(text: string): Promise<OpenedBox> {
    await this.me();
    return request<OpenedBox>("POST", "/api/workshop", { text });
  },
  async openBox(id: string): Promise<OpenedBox> {
    await this.me();
    return request<OpenedBox>("GET", boxPath(id));
  },
  saveBox: (id: string, text: string, base: number) => request<OpenedBox>("PUT", boxPath(id), { text, base }),
  deleteBox: (id: string) => request<Workshop>("DELETE", boxPath(id)),
  simulation: (id: string) => request<{ run: Simulation | null }>("GET", `${boxPath(id)}/simulate`),
  startSimulation: (id: string, body: SimulateBox) =>
    request<{ run: Simulation | null }>("POST", `${boxPath(id)}/simulate`, body),
  cancelSimulation: (id: string) => request<{ run: Simulation | null }>("DELETE", `${boxPath(id)}/simulate`),
  sharedBox: (id: string) => request<SharedBox>("GET", `/api/boxes/${encodeURIComponent(id)}`),
  phrases: () => request<{ phrases: Phrase[] }>("GET", "/api/phrases"),
};

const games = new Map<string, Promise<GameInfo>>();

/** Everything the client needs to know about a game; fetched once. */
export function gameInfo(id: string): Promise<GameInfo> {
  let info = games.get(id);
  if (!info) {
    info = api.game(id);
    info.catch(() => games.delete(id));
    games.set(id, info);
  }
  return info;
}
