import { defineConfig, mergeConfig } from "vitest/config";
import site from "./vite.config.ts";

export default mergeConfig(
  site,
  defineConfig({
    resolve: { conditions: ["browser"] },
    server: { fs: { allow: [".."] } },
    test: {
      environment: "jsdom",
      globals: true,
      isolate: false, // one jsdom for all files: five times as quick
      setupFiles: ["src/test-setup.ts"],
      include: ["src/**/*.test.ts"],
      css: { include: /\?raw$/ },
    },
  }),
);
