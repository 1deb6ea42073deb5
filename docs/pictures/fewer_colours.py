"""A smaller PNG: the same picture with 256 colours. A median cut chooses them."""

from __future__ import annotations

import base64
import struct
import zlib

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Page

COLOURS = 256
UNPACK = """async (png) => {
    const image = await createImageBitmap(await (await fetch("data:image/png;base64," + png)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    const bytes = canvas.getImageData(0, 0, image.width, image.height).data;
    let text = "";
    for (let at = 0; at < bytes.length; at += 32768)
        text += String.fromCharCode(...bytes.subarray(at, at + 32768));
    return [image.width, image.height, btoa(text)];
}"""


def fewer_colours(page: Page, png: bytes) -> bytes:
    """The picture with a palette; the page is an empty one of a browser."""
    width, height, text = page.evaluate(UNPACK, base64.b64encode(png).decode())
    pixels = np.frombuffer(base64.b64decode(text), dtype=np.uint8).reshape(-1, 4)[:, :3]
    seen, where, often = np.unique(pixels, axis=0, return_inverse=True, return_counts=True)
    palette, index = _median_cut(seen.astype(np.int64), often)
    rows = index[where.reshape(-1)].astype(np.uint8).reshape(height, width)
    lines = np.concatenate([np.zeros((height, 1), dtype=np.uint8), rows], axis=1)
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
            _chunk(b"PLTE", palette.astype(np.uint8).tobytes()),
            _chunk(b"IDAT", zlib.compress(lines.tobytes(), 9)),
            _chunk(b"IEND", b""),
        )
    )


def _median_cut(
    colours: NDArray[np.int64], often: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The palette, and which of it stands for each colour: the widest box is cut until there are enough."""
    boxes = [np.arange(len(colours))]
    while len(boxes) < COLOURS:
        spread = [_spread(colours[box], often[box]) if len(box) > 1 else -1.0 for box in boxes]
        widest = int(np.argmax(spread))
        if spread[widest] < 0:
            break
        box = boxes.pop(widest)
        axis = int(np.argmax(np.ptp(colours[box], axis=0)))
        order = box[np.argsort(colours[box, axis], kind="stable")]
        half = np.searchsorted(np.cumsum(often[order]), often[order].sum() / 2)
        cut = min(max(int(half), 1), len(order) - 1)
        boxes += [order[:cut], order[cut:]]
    palette = np.zeros((len(boxes), 3), dtype=np.int64)
    index = np.zeros(len(colours), dtype=np.int64)
    for at, box in enumerate(boxes):
        palette[at] = np.rint(np.average(colours[box], axis=0, weights=often[box]))
        index[box] = at
    return palette, index


def _spread(colours: NDArray[np.int64], often: NDArray[np.int64]) -> float:
    return float(np.ptp(colours, axis=0).max() * np.log2(1 + often.sum()))


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
