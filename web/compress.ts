/** Vite plugin: writes a Brotli and a gzip copy of every text file, so that the server need not compress. */
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const TEXT = /\.(js|css|html|svg|json|webmanifest|txt)$/;
const MIN_BYTES = 512;
/** the whole icon set is large, and Brotli would take longer than the rest of the build */
const ONLY_GZIP = /icons-/;

export function compress(folder: string): Plugin {
  return {
    name: "compress",
    apply: "build",
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true }) as string[]) {
        if (!TEXT.test(name)) continue;
        const text = readFileSync(join(folder, name));
        if (text.length < MIN_BYTES) continue;
        if (!ONLY_GZIP.test(name)) writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text));
        writeFileSync(join(folder, `${name}.gz`), gzipSync(text, { level: 9 }));
      }
    },
  };
}
