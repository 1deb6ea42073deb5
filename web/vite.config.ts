import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { gameIcons } from "./icons.ts";
import { installed } from "./installed.ts";
import { clientIcons } from "./src/ui/client-icons.ts";
import { compress } from "./compress.ts";
import { toml } from "./toml.ts";

const inProject = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const inWeb = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const site = inProject("src/flagfall/server/site");

export default defineConfig({
  plugins: [
    svelte(),
    toml(),
    gameIcons(inProject("src/flagfall/edition/data"), Object.values(clientIcons)),
    installed(inWeb("."), site),
    compress(site),
  ],
  build: {
    outDir: site,
    emptyOutDir: true,
    target: "es2022",
    reportCompressedSize: false,
    rolldownOptions: {
      input: [inWeb("index.html"), inWeb("embed.html")],
      checks: { bundlerTimings: false },
    },
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } } },
});
