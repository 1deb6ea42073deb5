/** Parses what is typed into the command box. It knows no rules. */
import type { Choice, MatchSnapshot } from "../api/types";
import type { PieceSet } from "../board/pieces";
import { t } from "../languages";
import { VERBS } from "./verbs";

export type ParsedCommand =
  | { do: "play"; choice: Choice }
  | { do: "notation"; text: string }
  | { do: "answer"; text: string }
  | { do: "note"; piece: string; text: string }
  | { do: "open"; what: "help" | "sheet" | "resign" | "draw" };

const MOVE = /^([a-z]\d{1,2})\s*[-x ]?\s*([a-z]\d{1,2})$/;

export function parseCommand(
  typed: string,
  snapshot: MatchSnapshot,
  pieceSet: PieceSet,
  lastNews: string,
): ParsedCommand {
  const text = typed.trim().replace(/\s+/g, " ");
  const lower = text.toLowerCase();
  const [verb = "", square = "", ...rest] = lower.split(" ");
  if (lower === "help" || lower === "?") return { do: "open", what: "help" };
  if (lower === "sheet" || lower === "army") return { do: "open", what: "sheet" };
  if (lower === "resign") return { do: "open", what: "resign" };
  if (lower === "draw") return { do: "open", what: "draw" };
  if (lower === "last") return { do: "answer", text: lastNews || t("play.moves.none") };
  if (lower === "tray") return { do: "answer", text: describeTray(snapshot, pieceSet) };
  if (verb === "who") return { do: "answer", text: describePiece(square, snapshot, pieceSet) };
  if (verb === "guess" || verb === "note") return noteOn(square, rest.join(" "), snapshot, pieceSet);
  const kind = snapshot.choices.find(
    (choice) => choice.kind && names(choice.kind, snapshot, pieceSet).includes(lower),
  );
  if (kind) return { do: "play", choice: kind };
  return move(lower, snapshot) ?? { do: "notation", text };
}

function move(lower: string, snapshot: MatchSnapshot): ParsedCommand | null {
  const exact = snapshot.choices.find((choice) => choice.text.toLowerCase() === lower);
  if (exact) return { do: "play", choice: exact };
  const squares = MOVE.exec(lower);
  if (!squares) return null;
  const [, from = "", to = ""] = squares;
  const choice = snapshot.choices.find(
    ({ origin, target, verb }) => origin === from && target === to && VERBS[verb].input === "move",
  );
  if (choice) return { do: "play", choice };
  return { do: "notation", text: turnText(from, to, snapshot) };
}

/** A move or an attack in notation. */
export function turnText(from: string, to: string, snapshot: MatchSnapshot): string {
  const enemy = snapshot.view?.pieces.find((piece) => piece.cell === to && piece.side !== snapshot.viewer);
  return `${from}${enemy ? "x" : "-"}${to}`;
}

function names(kind: string, snapshot: MatchSnapshot, pieceSet: PieceSet): string[] {
  const info = pieceSet.kinds.get(kind);
  const side = snapshot.to_move ?? "south";
  return [
    kind,
    info?.label ?? "",
    pieceSet.name(kind, "south"),
    pieceSet.name(kind, "north"),
    pieceSet.name(kind, side),
  ].map((name) => name.toLowerCase());
}

function describePiece(square: string, snapshot: MatchSnapshot, pieceSet: PieceSet): string {
  if (!/^[a-z]\d{1,2}$/.test(square)) return t("play.command.needs-square");
  const piece = snapshot.view?.pieces.find(({ cell }) => cell === square);
  return `${pieceSet.describeSquare(square, piece, snapshot.viewer, piece ? (snapshot.notes[piece.name] ?? "") : "")}.`;
}

function describeTray(snapshot: MatchSnapshot, pieceSet: PieceSet): string {
  const side = (name: "south" | "north"): string => {
    const captured = (snapshot.view?.tray ?? []).filter((piece) => piece.side === name);
    const kinds = captured.map((piece) =>
      piece.kind ? pieceSet.name(piece.kind, name) : t("play.captured.unknown"),
    );
    const army = pieceSet.armyName(name);
    return kinds.length
      ? t("play.command.captured-of", { army, pieces: kinds.join(", ") })
      : t("play.command.captured-none", { army });
  };
  return t("play.command.captured", { south: side("south"), north: side("north") });
}

function noteOn(square: string, text: string, snapshot: MatchSnapshot, pieceSet: PieceSet): ParsedCommand {
  const piece = snapshot.view?.pieces.find(({ cell }) => cell === square);
  if (!piece) return { do: "answer", text: t("play.command.no-piece") };
  const kind = pieceSet.game.kinds.find((one) =>
    [one.id, one.label, one.south.name, one.north.name].some((name) => name.toLowerCase() === text),
  );
  const note = (kind?.label ?? text).slice(0, pieceSet.game.limits.max_note_length);
  return { do: "note", piece: piece.name, text: note };
}
