/** How pieces look and how they are described, from the viewer's View and the texts of the game. */
import type { GameInfo, KindInfo, SeenPiece, Side, View } from "../api/types";
import { t } from "../languages";
import { isSquare } from "./geometry";

export const otherSide = (side: Side): Side => (side === "south" ? "north" : "south");

/** How one piece is drawn. */
export interface PieceStyle {
  side: Side;
  colour: string;
  /** empty for a hidden piece: its back is drawn */
  label: string;
  icon: string;
  /** shown as a tooltip; empty for a hidden piece */
  name: string;
  /** it was revealed before and is not revealed now */
  isRemembered: boolean;
  /** the opponent knows it */
  isKnown: boolean;
  hasMoved: boolean;
  note: string;
  /** a repetition rule forbids one of its moves */
  hasWarning: boolean;
  isConverted: boolean;
}

/** A piece with nothing on it but its label and icon. */
export const plainPiece = (side: Side, colour: string, label = "", icon = "", name = ""): PieceStyle => ({
  side,
  colour,
  label,
  icon,
  name,
  isRemembered: false,
  isKnown: false,
  hasMoved: false,
  note: "",
  hasWarning: false,
  isConverted: false,
});

/** How ranks are numbered: as the box prints them, or with the highest or lowest number for the strongest. */
export type Numerals = "box" | "high" | "low";

/** The pieces of one game: names, labels, colours and styles. */
export class PieceSet {
  readonly kinds: Map<string, KindInfo>;
  readonly colours: Record<Side, string>;

  constructor(readonly game: GameInfo) {
    this.kinds = new Map(game.kinds.map((kind) => [kind.id, kind]));
    const colour = (side: Side): string => game.armies.find((army) => army.side === side)?.colour ?? "#777";
    this.colours = { south: colour("south"), north: colour("north") };
  }

  armyName(side: Side): string {
    return this.game.armies.find((army) => army.side === side)?.name ?? side;
  }

  name(kind: string, side: Side): string {
    const info = this.kinds.get(kind);
    return (info?.[side].name || info?.[otherSide(side)].name) ?? kind;
  }

  /** The number or letter on a piece. */
  label(kind: string, numerals: Numerals = "box"): string {
    const info = this.kinds.get(kind);
    if (!info) return "?";
    if (numerals === "box" || !/^\d+$/.test(info.label)) return info.label;
    const wantsLow = numerals === "low";
    if (wantsLow === this.game.low_is_strong) return info.label;
    const numbers = this.game.kinds.map((one) => one.label).filter((label) => /^\d+$/.test(label));
    const top = Math.max(...numbers.map(Number));
    return top > 12 ? info.label : String(top + 1 - Number(info.label));
  }

  /** A piece of a known kind; without a kind, the back of a piece. */
  style(kind: string, side: Side, numerals: Numerals = "box"): PieceStyle {
    const info = this.kinds.get(kind);
    const icon = info?.[side].icon || info?.[otherSide(side)].icon || "";
    if (!kind) return plainPiece(side, this.colours[side]);
    return plainPiece(side, this.colours[side], this.label(kind, numerals), icon, this.name(kind, side));
  }

  /** All pieces on the board by square; with `isEnemyView`, own pieces as the opponent knows them. */
  stylesOn(
    view: View,
    numerals: Numerals,
    notes: Readonly<Record<string, string>> = {},
    isEnemyView = false,
  ): Map<string, PieceStyle> {
    const shown = view.last_turn.filter((event) => event.what === "shown");
    const revealed = new Set(shown.map((event) => event.piece));
    const barred = new Set((view.barred ?? []).map((move) => move.origin));
    const hasSide = view.viewer === "south" || view.viewer === "north";
    return new Map(
      view.pieces.map((piece) => {
        const isOwn = piece.side === view.viewer;
        const isHidden = isEnemyView && isOwn && !piece.is_told;
        const style: PieceStyle = {
          ...this.style(isHidden ? "" : (piece.kind ?? ""), piece.side, numerals),
          isKnown: isOwn && !!piece.is_told,
          hasMoved: !!piece.moved,
          isConverted: !!piece.is_converted,
          isRemembered: hasSide && !isOwn && !!piece.kind && !revealed.has(piece.name) && !piece.is_converted,
          note: notes[piece.name] ?? "",
          hasWarning: barred.has(piece.cell),
        };
        return [piece.cell, style];
      }),
    );
  }

  /** A square in words: "d6, enemy, unknown, has moved". */
  describeSquare(
    cell: string,
    piece: SeenPiece | undefined,
    viewer: string,
    note = "",
    special = "",
  ): string {
    if (!piece) {
      const { zones, zone_word } = this.game.board;
      if (cell === special) return `${cell}, ${this.game.words["reserved"] ?? ""}`;
      return `${cell}, ${zones.includes(cell) ? zone_word : t("board.empty")}`;
    }
    const isOwn = piece.side === viewer;
    const hasSide = viewer === "south" || viewer === "north";
    const parts = [cell, isOwn ? t("board.yours") : hasSide ? t("board.enemy") : this.armyName(piece.side)];
    parts.push(piece.kind ? this.title(piece.kind, piece.side) : this.describeHidden(piece));
    if (piece.moved) parts.push(t("board.has-moved"));
    if (isOwn && piece.is_told) parts.push(t("board.known"));
    if (piece.is_converted) parts.push(t("board.changed-sides"));
    if (note) parts.push(t("board.note", { note }));
    return parts.join(", ");
  }

  /** Name and number or sign, as one sees it on the piece: "Marshal, 10", "Stronghold, St"; no single letters. */
  title(kind: string, side: Side): string {
    const info = this.kinds.get(kind);
    const name = this.name(kind, side);
    return info && /^(\d+|\w{2,})$/.test(info.label) ? `${name}, ${info.label}` : name;
  }

  private describeHidden(piece: SeenPiece): string {
    const possible = piece.possible ?? [];
    if (possible.length === 0 || possible.length > 4) return t("board.unknown");
    const names = possible.map((kind) => this.name(kind, piece.side));
    const kinds = names.reduce((first, second) => t("board.either", { first, second }));
    return t("board.unknown-of", { kinds });
  }
}

/** The square with a special meaning that the options of a game name, such as Mount Doom. */
export function specialSquare(game: GameInfo, options: Readonly<Record<string, string>>): string {
  const square = Object.values(options).find((value) => isSquare(value));
  return game.words["reserved"] && square ? square : "";
}
