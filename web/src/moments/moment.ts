/** Addresses of a moment of a replay. */
import type { Size } from "../board/geometry";
import type { ReplayViewer } from "../replay/replay-player.svelte";

const EMBED_WIDTH = 480;
/** pixels of the buttons and names next to the board */
const EMBED_REST = 150;

const query = (turn: number, viewer: ReplayViewer): string =>
  `?turn=${turn}${viewer === "truth" ? "" : `&eyes=${viewer}`}`;

/** The turn and the viewer that an address names; the start and all pieces if it names none. */
export function readMoment(search: string): { turn: number; viewer: ReplayViewer } {
  const fields = new URLSearchParams(search);
  const turn = Number(fields.get("turn") ?? 0);
  const eyes = fields.get("eyes");
  return {
    turn: Number.isSafeInteger(turn) && turn > 0 ? turn : 0,
    viewer: eyes === "south" || eyes === "north" ? eyes : "truth",
  };
}

/** The address of a replay at a turn, seen by some viewer. */
export const momentLink = (origin: string, match: string, turn: number, viewer: ReplayViewer): string =>
  `${origin}/replay/${match}${query(turn, viewer)}`;

/** HTML that shows the board on another page. */
export function embedCode(
  origin: string,
  match: string,
  turn: number,
  viewer: ReplayViewer,
  board: Size,
  title: string,
): string {
  const address = `${origin}/embed/replay/${match}${query(turn, viewer)}`.replaceAll("&", "&amp;");
  const height = Math.round((EMBED_WIDTH * board.rows) / board.columns) + EMBED_REST;
  const name = title.replace(/[&<>"]/g, "");
  return `<iframe src="${address}" title="${name}" width="${EMBED_WIDTH}" height="${height}" style="border:0;max-width:100%" loading="lazy"></iframe>`;
}
