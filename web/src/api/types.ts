/** Short names for the types that are generated from the server's OpenAPI schema. */
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Guest = Schemas["Guest"];
export type Catalogue = Schemas["Catalogue"];
export type BoxInfo = Schemas["BoxInfo"];
export type GameSummary = Schemas["GameLine"];
export type GameInfo = Schemas["GameInfo"];
export type BoardInfo = Schemas["BoardInfo"];
export type KindInfo = Schemas["KindInfo"];
export type LevelInfo = Schemas["LevelInfo"];
export type PowerInfo = Schemas["PowerInfo"];
export type OptionInfo = Schemas["OptionLine"];
export type MatchSnapshot = Schemas["State"];
export type Change = Schemas["Change"];
export type NewsPage = Schemas["NewsPage"];
export type View = Schemas["View"];
export type SeenPiece = Schemas["SeenPiece"];
export type TrayPiece = Schemas["TrayPiece"];
export type Choice = Schemas["Choice"];
export type News = Schemas["News"];
export type ClockState = Schemas["ClockState"];
export type ErrorBody = Schemas["Refused"];
export type SocketMessage = Schemas["SocketAnswer"];
export type SocketRequest = Schemas["SocketRequest"];
type WithoutId<Request> = Request extends unknown ? Omit<Request, "id"> : never;
/** A command to the match; `look` and `ping` belong to the connection itself. */
export type Command = WithoutId<Exclude<SocketRequest, { do: "look" | "ping" }>>;
export type NewMatch = Schemas["NewMatch"];
export type Invitation = Schemas["Invitation"];
export type Lobby = Schemas["Lobby"];
export type MatchSummary = Schemas["MatchLine"];
export type SetupAnswer = Schemas["SetupAnswer"];
export type SavedSetup = Schemas["SavedSetup"];
export type SavedSetupPage = Schemas["SavedSetups"];
export type SaveSetupRequest = Schemas["KeepSetup"];
export type SetupRequest = Schemas["SetupRequest"];
export type Replay = Schemas["Replay"];
export type ReplayStep = Schemas["ReplayStep"];
export type Advice = Schemas["Advice"];
export type PieceChances = Schemas["PieceChances"];
export type Phrase = Schemas["Phrase"];
export type Courses = Schemas["Courses"];
export type CourseInfo = Schemas["CourseInfo"];
export type LessonState = Schemas["LessonState"];
export type Side = "south" | "north";
export type Viewer = MatchSnapshot["viewer"];
