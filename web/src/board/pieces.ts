/** What is drawn of a piece, and what is said of it; both from the View and the box's own words only. */
import type { GameInfo, KindInfo, SeenPiece, Side } from "../api/types";

/** A piece as it is drawn. */
export interface PieceStyle {
  side: Side;
  colour: string;
  /** empty: its back */
  label: string;
  icon: string;
  /** true: icon first (flags, bombs, spies and the like), false: number first */
  isSymbol: boolean;
  /** its kind is remembered, it does not lie open now */
  isRemembered: boolean;
  /** the opponent knows it */
  isKnown: boolean;
  hasMoved: boolean;
  note: string;
  /** a repetition rule is about to bite */
  hasWarning: boolean;
  isConverted: boolean;
}

/** One mark on a square. */
export interface Mark {
  dot?: boolean;
  ring?: boolean;
  double?: boolean;
  number?: number;
  lane?: boolean;
  origin?: boolean;
  frame?: boolean;
  selected?: boolean;
  ghost?: boolean;
  /** not in play just now */
  faded?: boolean;
}

export interface Arrow {
  from: string;
  to: string;
  number?: number;
}

export type Numerals = "box" | "high" | "low";

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
    return (info?.[side].name || info?.[side === "south" ? "north" : "south"].name) ?? kind;
  }

  /** Number or letter, in the box's own count or turned round. */
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

  isSymbol(kind: string): boolean {
    const info = this.kinds.get(kind);
    return !!info && !/^\d+$/.test(info.label);
  }

  /** The face of a kind lying open. */
  style(kind: string, side: Side, numerals: Numerals = "box"): PieceStyle {
    const info = this.kinds.get(kind);
    return {
      side,
      colour: this.colours[side],
      label: kind ? this.label(kind, numerals) : "",
      icon: (info?.[side].icon || info?.[side === "south" ? "north" : "south"].icon) ?? "",
      isSymbol: this.isSymbol(kind),
      isRemembered: false,
      isKnown: false,
      hasMoved: false,
      note: "",
      hasWarning: false,
      isConverted: false,
    };
  }

  /** The face of a piece as a viewer sees it. */
  styleOf(
    piece: SeenPiece,
    viewer: string,
    marks: Partial<PieceStyle>,
    numerals: Numerals = "box",
  ): PieceStyle {
    const isOwn = piece.side === viewer;
    return {
      ...this.style(piece.kind ?? "", piece.side, numerals),
      isKnown: isOwn && !!piece.is_told,
      hasMoved: !!piece.moved,
      isConverted: !!piece.is_converted,
      ...marks,
    };
  }

  /** A square in words: "d6, enemy, unknown, has moved". */
  describeSquare(cell: string, piece: SeenPiece | undefined, viewer: string, note = ""): string {
    if (!piece)
      return `${cell}, ${this.game.board.zones.includes(cell) ? this.game.board.zone_word : "empty"}`;
    const isOwn = piece.side === viewer;
    const hasSide = viewer === "south" || viewer === "north";
    const parts = [cell, isOwn ? "yours" : hasSide ? "enemy" : this.armyName(piece.side)];
    parts.push(piece.kind ? this.title(piece.kind, piece.side) : this.describeHidden(piece));
    if (piece.moved) parts.push("has moved");
    if (isOwn && piece.is_told) parts.push("the enemy knows it");
    if (piece.is_converted) parts.push("has changed sides");
    if (note) parts.push(`your note: ${note}`);
    return parts.join(", ");
  }

  /** Name and number: "Marshal, 10". */
  title(kind: string, side: Side): string {
    const info = this.kinds.get(kind);
    const name = this.name(kind, side);
    return info && /^\d+$/.test(info.label) ? `${name}, ${info.label}` : name;
  }

  private describeHidden(piece: SeenPiece): string {
    const possible = piece.possible ?? [];
    if (possible.length === 0 || possible.length > 4) return "unknown";
    return `unknown: ${possible.map((kind) => this.name(kind, piece.side)).join(" or ")}`;
  }
}

/** Black or white, whichever reads better on a colour. */
export function textColourOn(colour: string): string {
  const part = (at: number): number => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  const light = 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
  return (light + 0.05) / 0.05 > 1.05 / (light + 0.05) ? "#14171b" : "#ffffff";
}
