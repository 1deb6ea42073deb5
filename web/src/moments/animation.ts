/** An animated picture (GIF) of a passage of a replay. */
import { GIFEncoder, applyPalette, quantize } from "gifenc";
import type { BoardInfo } from "../api/types";
import { rasterize } from "./picture";

/** turns in one picture at most */
export const MAX_ANIMATED_TURNS = 60;
const PIXELS = 480;
const STEP_MS = 900;
const LAST_MS = 2500;
const COLOURS = 128;

/**
 * Make a GIF of pictures, one after the other. `onprogress` is told how many are done; the work stops when
 * the signal says so.
 */
export async function animate(
  pictures: AsyncIterable<string>,
  count: number,
  board: BoardInfo,
  onprogress: (done: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const gif = GIFEncoder();
  let done = 0;
  for await (const svg of pictures) {
    signal.throwIfAborted();
    const canvas = await rasterize(svg, board, PIXELS);
    const { width, height } = canvas;
    const data = canvas.getContext("2d")?.getImageData(0, 0, width, height).data;
    if (!data) throw new Error("no canvas");
    const palette = quantize(data, COLOURS);
    done += 1;
    const delay = done === count ? LAST_MS : STEP_MS;
    gif.writeFrame(applyPalette(data, palette), width, height, { palette, delay });
    onprogress(done);
    await new Promise((resolve) => setTimeout(resolve));
  }
  gif.finish();
  return new Blob([gif.bytes() as Uint8Array<ArrayBuffer>], { type: "image/gif" });
}
