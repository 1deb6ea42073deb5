/** Where the parts of a piece are on its tile. */

/** Figures: a large figure and the rank in a corner. Numbers: a large rank and a smaller figure next to it. */
export type PieceSetName = "figures" | "numbers";

/** In per cent of the tile; for text, the height of its digits. */
export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A part of the label and where it is drawn. */
export interface TextPart extends Rect {
  text: string;
}

export interface Layout {
  name: "back" | "corner" | "plate" | "numeral" | "wide" | "thousands";
  label: TextPart[];
  /** drawn under a long label */
  plate: Rect | null;
  figure: Rect | null;
  eye: Rect;
  foot: Rect;
  warning: Rect;
  note: Rect;
}

/** What a layout depends on. */
export interface Contents {
  label: string;
  hasFigure: boolean;
  hasNote: boolean;
  hasWarning: boolean;
}

/** Sizes of characters in units of the font size. */
export const CAP_HEIGHT = 0.72;
const DIGIT_WIDTH = 0.62;
const LETTER_WIDTH = 0.74;
const PLATE_LENGTH = 4;

const rect = (x: number, y: number, width: number, height = width): Rect => ({ x, y, width, height });

/** The width of a text with digits of some height. */
export function textWidth(text: string, height: number): number {
  const widths = [...text].map((character) => (/\d/.test(character) ? DIGIT_WIDTH : LETTER_WIDTH));
  return (widths.reduce((sum, width) => sum + width, 0) * height) / CAP_HEIGHT;
}

/** Choose the layout of a tile. A label without a figure is drawn large in both sets. */
export function tileLayout(set: PieceSetName, contents: Contents): Layout {
  const { label, hasFigure } = contents;
  if (!label) return backLayout();
  const isLong = label.length >= PLATE_LENGTH;
  if (set === "figures" && hasFigure) return isLong ? plateLayout(label) : cornerLayout(label);
  if (isLong && /^\d+$/.test(label)) return thousandsLayout(contents);
  return label.length === 1 && hasFigure ? numeralLayout(contents) : wideLayout(contents);
}

function backLayout(): Layout {
  return {
    name: "back",
    label: [],
    plate: null,
    figure: null,
    eye: rect(67, 8, 26),
    foot: rect(7, 67, 26),
    warning: rect(7, 36, 26),
    note: rect(8, 29, 84, 34),
  };
}

/** The rank at the top left, the figure at the bottom right. */
function cornerLayout(label: string): Layout {
  const height = 26;
  const figureSize = label.length > 1 ? 58 : 61;
  const rank = rect(10, 9, Math.min(textWidth(label, height), 50), height);
  const end = rank.x + rank.width + 3;
  return {
    name: "corner",
    label: [{ text: label, ...rank }],
    plate: null,
    figure: rect(97 - figureSize, 97 - figureSize, figureSize),
    eye: rect(70, 8, 23),
    foot: rect(7, 69, 23),
    warning: rect(7, 42, 23),
    note: rect(end, 5, 96 - end, 25),
  };
}

/** The figure above a plate with the rank; the signs are on its left. */
function plateLayout(label: string): Layout {
  const height = 21;
  const width = Math.min(textWidth(label, height), 82);
  return {
    name: "plate",
    label: [{ text: label, x: 50 - width / 2, y: 72.5, width, height }],
    plate: rect(6, 70, 88, 26),
    figure: rect(32, 4, 65),
    eye: rect(9, 7, 19),
    foot: rect(9, 27, 19),
    warning: rect(9, 47, 19),
    note: rect(5, 47, 26, 20),
  };
}

/** The rank at the top left, the figure at the bottom right; with a note below, the figure moves up. */
function numeralLayout({ label, hasNote }: Contents): Layout {
  return {
    name: "numeral",
    label: [{ text: label, ...rect(9, 9, 41, 55) }],
    plate: null,
    figure: hasNote ? rect(52, 18, 44) : rect(51, 51, 46),
    eye: rect(73, 7, 22),
    foot: rect(7, 70, 25),
    warning: rect(51, 27, 22),
    note: rect(36, 69, 60, 27),
  };
}

/** As a numeral, with the last three digits small at the top right. */
function thousandsLayout(contents: Contents): Layout {
  const { label, hasFigure, hasNote } = contents;
  const [head, tail] = [label.slice(0, -3), label.slice(-3)];
  const small = rect(53, 10, 0, 15);
  const layout = numeralLayout(contents);
  return {
    ...layout,
    name: "thousands",
    label: [
      { text: head, ...rect(9, 9, 41, 55) },
      { text: tail, ...small, width: Math.min(textWidth(tail, small.height), 44) },
    ],
    figure: !hasFigure ? null : hasNote ? rect(54, 28, 39) : layout.figure,
    eye: rect(75, 29, 20),
    warning: rect(52, 29, 20),
  };
}

/** A label of two and more characters over the whole width; below it the foot, a figure and the eye. */
function wideLayout({ label, hasFigure, hasNote, hasWarning }: Contents): Layout {
  const width = Math.min(textWidth(label, 55), 82);
  return {
    name: "wide",
    label: [{ text: label, ...rect(50 - width / 2, 7, width, 55) }],
    plate: null,
    figure: hasFigure && !hasNote && !hasWarning ? rect(33, 63, 34) : null,
    eye: rect(69, 71, 24),
    foot: rect(7, 71, 24),
    warning: rect(37, 70, 26),
    note: rect(36, 70, 58, 27),
  };
}
