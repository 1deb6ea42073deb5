/** The server's shapes under short names. They are generated from its schema; nothing here is written by hand. */
import type { components } from "./schema";

type Shapes = components["schemas"];

export type Guest = Shapes["Guest"];
export type Catalogue = Shapes["Catalogue"];
export type BoxInfo = Shapes["BoxInfo"];
export type GameLine = Shapes["GameLine"];
export type GameInfo = Shapes["GameInfo"];
export type BoardInfo = Shapes["BoardInfo"];
export type KindInfo = Shapes["KindInfo"];
export type PowerInfo = Shapes["PowerInfo"];
export type OptionLine = Shapes["OptionLine"];
export type State = Shapes["State"];
export type Change = Shapes["Change"];
export type NewsPage = Shapes["NewsPage"];
export type View = Shapes["View"];
export type SeenPiece = Shapes["SeenPiece"];
export type TrayPiece = Shapes["TrayPiece"];
export type Choice = Shapes["Choice"];
export type News = Shapes["News"];
export type ClockState = Shapes["ClockState"];
export type Refused = Shapes["Refused"];
export type SocketAnswer = Shapes["SocketAnswer"];
export type SocketRequest = Shapes["SocketRequest"];
/** What a player or watcher asks of the match; the connection adds its own `look` and `ping`. */
export type Command = WithoutId<Exclude<SocketRequest, { do: "look" | "ping" }>>;
type WithoutId<Request> = Request extends unknown ? Omit<Request, "id"> : never;
export type NewMatch = Shapes["NewMatch"];
export type Invitation = Shapes["Invitation"];
export type Lobby = Shapes["Lobby"];
export type MatchLine = Shapes["MatchLine"];
export type SetupAnswer = Shapes["SetupAnswer"];
export type SavedSetup = Shapes["SavedSetup"];
export type SavedSetups = Shapes["SavedSetups"];
export type KeepSetup = Shapes["KeepSetup"];
export type SetupRequest = Shapes["SetupRequest"];
export type Replay = Shapes["Replay"];
export type ReplayStep = Shapes["ReplayStep"];
export type Phrase = Shapes["Phrase"];
export type Side = "south" | "north";
export type Viewer = State["viewer"];
