/** A picture of the board as SVG, with everything it needs inside, and as PNG. */
import type { BoardInfo } from "../api/types";
import { textColourOn } from "../board/colours";
import { arrowEnd, centre, columnOf, rowOf, rowsOnScreen } from "../board/geometry";
import { CAP_HEIGHT, tileLayout, type PieceSetName, type Rect } from "../board/layout";
import type { Arrow } from "../board/marks";
import type { PieceStyle } from "../board/pieces";

/** What is drawn. */
export interface Scene {
  board: BoardInfo;
  pieces: ReadonlyMap<string, PieceStyle>;
  arrows: readonly Arrow[];
  isFlipped: boolean;
  special: string;
  set: PieceSetName;
  /** said under the board, and to those who cannot see it */
  caption: string;
}

/** The colours of a board on the screen; `square` by name of the square. */
export interface Palette {
  paper: string;
  ink: string;
  frame: string;
  line: string;
  zone: string;
  zone2: string;
  accent: string;
  square: (cell: string) => string;
}

/** Where the drawings on pieces come from: the content of an icon's SVG element. */
export interface Drawings {
  figure: (name: string) => string;
  eye: string;
  foot: string;
  mountain: string;
}

const CELL = 100;
const MARGIN = 50;
const CAPTION = 70;
const TILE = CELL * 0.9;
const FONT = "Inter, 'Segoe UI', system-ui, 'Helvetica Neue', Arial, sans-serif";
/** corners of a tile in per cent: across and down, at the top and at the bottom */
const CORNERS = { south: [12, 12, 24, 24], north: [50, 15, 10, 10] } as const;

const escapeText = (text: string): string =>
  text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** Read the colours of a board from its grid on the screen. */
export function paletteOf(grid: Element): Palette {
  const colour = (parent: Element, value: string): string => {
    const probe = document.createElement("i");
    probe.style.color = value;
    parent.append(probe);
    const found = getComputedStyle(probe).color;
    probe.remove();
    return found;
  };
  return {
    paper: colour(document.body, "var(--paper)"),
    ink: colour(document.body, "var(--ink)"),
    frame: colour(grid, "var(--frame, var(--surface))"),
    line: colour(grid, "var(--square-line)"),
    zone: colour(grid, "var(--zone)"),
    zone2: colour(grid, "var(--zone-2)"),
    accent: colour(grid, "var(--accent)"),
    square(cell) {
      const isOdd = (columnOf(cell) + rowOf(cell)) % 2 === 1;
      const parent = grid.querySelector(`[data-cell="${cell}"]`) ?? grid;
      return colour(parent, `var(${isOdd ? "--square-2" : "--square"})`);
    },
  };
}

/** The width and height of a picture in its own units. */
export const sizeOf = (board: BoardInfo): { width: number; height: number } => ({
  width: board.columns * CELL + 2 * MARGIN,
  height: board.rows * CELL + 2 * MARGIN + CAPTION,
});

/** Draw a board as SVG text. */
export function drawBoard(scene: Scene, palette: Palette, drawings: Drawings): string {
  const { board, isFlipped } = scene;
  const { width, height } = sizeOf(board);
  const cells = rowsOnScreen(board, isFlipped).flat();
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`,
    ` role="img" aria-label="${escapeText(scene.caption)}" font-family="${FONT}">`,
    `<title>${escapeText(scene.caption)}</title>`,
    definitions(palette),
    `<rect width="${width}" height="${height}" fill="${palette.paper}"/>`,
    `<g transform="translate(${MARGIN} ${MARGIN})">`,
    `<rect x="-9" y="-9" width="${board.columns * CELL + 18}" height="${board.rows * CELL + 18}" rx="14" fill="${palette.frame}" stroke="${palette.line}" stroke-width="2"/>`,
    ...cells.map((cell) => drawSquare(cell, scene, palette, drawings)),
    ...coordinates(scene, palette),
    ...cells.map((cell) => {
      const piece = scene.pieces.get(cell);
      return piece ? drawPiece(piece, cornerOf(cell, scene), scene.set, drawings) : "";
    }),
    ...scene.arrows.map((arrow) => drawArrow(arrow, scene, palette)),
    "</g>",
    caption(scene.caption, width, height, palette),
    "</svg>",
  ];
  return parts.join("");
}

function definitions({ zone, zone2, accent }: Palette): string {
  const hatch = (id: string, angle: number): string =>
    `<pattern id="${id}" width="12" height="12" patternUnits="userSpaceOnUse" patternTransform="rotate(${angle})"><rect width="4" height="12" fill="#fff" fill-opacity=".25"/></pattern>`;
  return (
    `<defs><linearGradient id="shine" x1="0" y1="0" x2=".3" y2="1"><stop stop-color="#fff" stop-opacity=".18"/><stop offset=".45" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-opacity=".1"/></linearGradient>` +
    `<linearGradient id="zone" x1="0" y1="0" x2="0" y2="1"><stop stop-color="${zone}"/><stop offset="1" stop-color="${zone2}"/></linearGradient>` +
    `<radialGradient id="fire"><stop stop-color="#e0641d"/><stop offset="1" stop-color="#7c1d0a"/></radialGradient>` +
    hatch("hatch-south", 45) +
    hatch("hatch-north", -45) +
    `<marker id="head" viewBox="0 0 10 10" refX="7" refY="5" markerWidth="4" markerHeight="4" orient="auto"><path d="M0 0 10 5 0 10z" fill="${accent}"/></marker></defs>`
  );
}

function cornerOf(cell: string, { board, isFlipped }: Scene): { x: number; y: number } {
  const { x, y } = centre(cell, board, isFlipped);
  return { x: (x - 0.5) * CELL, y: (y - 0.5) * CELL };
}

function drawSquare(cell: string, scene: Scene, palette: Palette, drawings: Drawings): string {
  const { x, y } = cornerOf(cell, scene);
  const isZone = scene.board.zones.includes(cell);
  const isSpecial = cell === scene.special;
  const fill = isSpecial ? "url(#fire)" : isZone ? "url(#zone)" : palette.square(cell);
  const stroke = isZone ? "" : ` stroke="${palette.line}"`;
  const square = `<rect x="${x}" y="${y}" width="${CELL}" height="${CELL}" fill="${fill}"${stroke}/>`;
  if (!isSpecial) return square;
  return square + drawIcon(drawings.mountain, { x: x + 12, y: y + 12, width: 76, height: 76 }, "#ffd9b0");
}

function coordinates(scene: Scene, palette: Palette): string[] {
  const rows = rowsOnScreen(scene.board, scene.isFlipped);
  const text = (x: number, y: number, words: string): string =>
    `<text x="${x}" y="${y}" font-size="22" font-weight="600" text-anchor="middle" fill="${palette.ink}" fill-opacity=".75">${words}</text>`;
  const numbers = rows.map((row, index) => text(-28, index * CELL + CELL / 2 + 8, (row[0] ?? "").slice(1)));
  const letters = (rows.at(-1) ?? []).map((cell, index) =>
    text(index * CELL + CELL / 2, scene.board.rows * CELL + 36, cell.charAt(0)),
  );
  return [...numbers, ...letters];
}

function outline(side: "south" | "north"): string {
  const [acrossTop, downTop, acrossBottom, downBottom] = CORNERS[side].map(
    (share) => (share * TILE) / 100,
  ) as [number, number, number, number];
  return (
    `M0 ${downTop}A${acrossTop} ${downTop} 0 0 1 ${acrossTop} 0H${TILE - acrossTop}` +
    `A${acrossTop} ${downTop} 0 0 1 ${TILE} ${downTop}V${TILE - downBottom}` +
    `A${acrossBottom} ${downBottom} 0 0 1 ${TILE - acrossBottom} ${TILE}H${acrossBottom}` +
    `A${acrossBottom} ${downBottom} 0 0 1 0 ${TILE - downBottom}Z`
  );
}

function drawIcon(body: string, at: Rect, colour: string): string {
  if (!body) return "";
  return `<svg x="${at.x}" y="${at.y}" width="${at.width}" height="${at.height}" viewBox="0 0 512 512" color="${colour}" fill="${colour}">${body}</svg>`;
}

function drawPiece(
  piece: PieceStyle,
  corner: { x: number; y: number },
  set: PieceSetName,
  drawings: Drawings,
): string {
  const figure = drawings.figure(piece.icon);
  const layout = tileLayout(set, {
    label: piece.label,
    hasFigure: figure !== "",
    hasNote: false,
    hasWarning: false,
  });
  const on = textColourOn(piece.colour);
  const scaled = ({ x, y, width, height }: Rect): Rect => ({
    x: (x * TILE) / 100,
    y: (y * TILE) / 100,
    width: (width * TILE) / 100,
    height: (height * TILE) / 100,
  });
  const shape = outline(piece.side);
  const isBack = !piece.label || piece.isRemembered;
  const rim = piece.isConverted
    ? `stroke="#ffd23f" stroke-width="4"`
    : `stroke="#000" stroke-opacity=".45" stroke-width="2"`;
  const parts = [
    `<path d="${shape}" fill="${piece.colour}" ${rim}/>`,
    `<path d="${shape}" fill="url(#${isBack ? `hatch-${piece.side}` : "shine"})"/>`,
  ];
  if (piece.isRemembered)
    parts.push(
      `<path d="${shape}" transform="translate(${TILE * 0.03} ${TILE * 0.03}) scale(.94)" fill="none" stroke="${on}" stroke-width="3" stroke-dasharray="8 6"/>`,
    );
  if (layout.plate) {
    const plate = scaled(layout.plate);
    parts.push(
      `<rect x="${plate.x}" y="${plate.y}" width="${plate.width}" height="${plate.height}" rx="8" fill="${on}" fill-opacity=".14" stroke="${on}" stroke-opacity=".55"/>`,
    );
  }
  if (layout.figure) parts.push(drawIcon(figure, scaled(layout.figure), on));
  for (const label of layout.label) {
    const { x, y, width, height } = scaled(label);
    parts.push(
      `<text x="${x + width / 2}" y="${y + height}" font-size="${height / CAP_HEIGHT}" font-weight="700" text-anchor="middle" textLength="${width}" lengthAdjust="spacingAndGlyphs" fill="${on}">${escapeText(label.text)}</text>`,
    );
  }
  if (piece.isKnown) parts.push(drawIcon(drawings.eye, scaled(layout.eye), on));
  if (piece.hasMoved) parts.push(drawIcon(drawings.foot, scaled(layout.foot), on));
  const inset = (CELL - TILE) / 2;
  return `<g transform="translate(${corner.x + inset} ${corner.y + inset})">${parts.join("")}</g>`;
}

function drawArrow(arrow: Arrow, { board, isFlipped }: Scene, { accent }: Palette): string {
  const a = centre(arrow.from, board, isFlipped);
  const { x, y } = arrowEnd(a, centre(arrow.to, board, isFlipped));
  return `<line x1="${a.x * CELL}" y1="${a.y * CELL}" x2="${x * CELL}" y2="${y * CELL}" stroke="${accent}" stroke-width="9" stroke-linecap="round" stroke-opacity=".75" marker-end="url(#head)"/>`;
}

function caption(text: string, width: number, height: number, { ink }: Palette): string {
  const size = Math.min(30, (width - 2 * MARGIN) / (text.length * 0.52));
  return `<text x="${width / 2}" y="${height - 36}" font-size="${size.toFixed(1)}" text-anchor="middle" fill="${ink}">${escapeText(text)}</text>`;
}

/** Draw SVG text on a canvas of some width. */
export async function rasterize(svg: string, board: BoardInfo, pixels: number): Promise<HTMLCanvasElement> {
  const { width, height } = sizeOf(board);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = pixels;
  canvas.height = Math.round((pixels * height) / width);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** A picture as the bytes of a PNG file. */
export async function toPng(svg: string, board: BoardInfo, pixels = 1200): Promise<Blob> {
  const canvas = await rasterize(svg, board, pixels);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png");
  });
}

/** Have the browser save a file. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
