import { defineConfig, mergeConfig } from "vitest/config";
import site from "./vite.config.ts";

export default mergeConfig(
  site,
  defineConfig({
    resolve: { conditions: ["browser"] },
    test: {
      environment: "jsdom",
      globals: true,
      setupFiles: ["src/test-setup.ts"],
      include: ["src/**/*.test.ts"],
    },
  }),
);
