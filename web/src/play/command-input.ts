/** What can be written into the command box, turned into something to do or to say. No rules here. */
import type { Choice, MatchSnapshot } from "../api/types";
import type { PieceSet } from "../board/pieces";

export type ParsedCommand =
  | { do: "play"; choice: Choice }
  | { do: "write"; text: string }
  | { do: "say"; text: string }
  | { do: "note"; piece: string; text: string }
  | { do: "open"; what: "help" | "sheet" | "resign" | "draw" };

export const COMMAND_HELP =
  "Write a move (d4 d5), any turn in notation, last, tray, who d6, guess d6 major, sheet, draw, resign or help.";

const MOVE = /^([a-z]\d{1,2})\s*[-x ]?\s*([a-z]\d{1,2})$/;

export function parseCommand(
  written: string,
  state: MatchSnapshot,
  pieceSet: PieceSet,
  lastWords: string,
): ParsedCommand {
  const text = written.trim().replace(/\s+/g, " ");
  const low = text.toLowerCase();
  const [verb = "", square = "", ...rest] = low.split(" ");
  if (low === "help" || low === "?") return { do: "open", what: "help" };
  if (low === "sheet" || low === "army") return { do: "open", what: "sheet" };
  if (low === "resign") return { do: "open", what: "resign" };
  if (low === "draw") return { do: "open", what: "draw" };
  if (low === "last") return { do: "say", text: lastWords || "Nothing has happened yet." };
  if (low === "tray") return { do: "say", text: trayWords(state, pieceSet) };
  if (verb === "who") return { do: "say", text: whoWords(square, state, pieceSet) };
  if (verb === "guess" || verb === "note") return noteOn(square, rest.join(" "), state, pieceSet);
  const kind = state.choices.find(
    (choice) => choice.kind && names(choice.kind, state, pieceSet).includes(low),
  );
  if (kind) return { do: "play", choice: kind };
  return move(low, state) ?? { do: "write", text };
}

function move(low: string, state: MatchSnapshot): ParsedCommand | null {
  const exact = state.choices.find((choice) => choice.text.toLowerCase() === low);
  if (exact) return { do: "play", choice: exact };
  const squares = MOVE.exec(low);
  if (!squares) return null;
  const [, from = "", to = ""] = squares;
  const choice = state.choices.find(
    (one) => one.origin === from && one.target === to && (one.verb === "move" || one.verb === "attack"),
  );
  if (choice) return { do: "play", choice };
  return { do: "write", text: turnText(from, to, state) };
}

/** A move or a strike as the referee reads it. */
export function turnText(from: string, to: string, state: MatchSnapshot): string {
  const stands = state.view?.pieces.find((piece) => piece.cell === to);
  return `${from}${stands ? "x" : "-"}${to}`;
}

function names(kind: string, state: MatchSnapshot, pieceSet: PieceSet): string[] {
  const info = pieceSet.kinds.get(kind);
  const side = state.to_move ?? "south";
  return [
    kind,
    info?.label ?? "",
    pieceSet.name(kind, "south"),
    pieceSet.name(kind, "north"),
    pieceSet.name(kind, side),
  ].map((name) => name.toLowerCase());
}

function whoWords(square: string, state: MatchSnapshot, pieceSet: PieceSet): string {
  if (!/^[a-z]\d{1,2}$/.test(square)) return "Write who and a square, for example: who d6.";
  const piece = state.view?.pieces.find((one) => one.cell === square);
  return `${pieceSet.describeSquare(square, piece, state.viewer, piece ? (state.notes[piece.name] ?? "") : "")}.`;
}

function trayWords(state: MatchSnapshot, pieceSet: PieceSet): string {
  const side = (name: "south" | "north"): string => {
    const gone = (state.view?.tray ?? []).filter((piece) => piece.side === name);
    const kinds = gone.map((piece) => (piece.kind ? pieceSet.name(piece.kind, name) : "unknown"));
    return `${pieceSet.armyName(name)}: ${kinds.length ? kinds.join(", ") : "none"}.`;
  };
  return `Captured. ${side("south")} ${side("north")}`;
}

function noteOn(square: string, text: string, state: MatchSnapshot, pieceSet: PieceSet): ParsedCommand {
  const piece = state.view?.pieces.find((one) => one.cell === square);
  if (!piece) return { do: "say", text: "No piece stands there. Write for example: guess d6 major." };
  const kind = pieceSet.game.kinds.find((one) =>
    [one.id, one.label, one.south.name, one.north.name].some((name) => name.toLowerCase() === text),
  );
  return { do: "note", piece: piece.name, text: (kind?.label ?? text).slice(0, 12) };
}
