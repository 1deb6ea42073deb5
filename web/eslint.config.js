import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import { defineConfig } from "eslint/config";
import ts from "typescript-eslint";

export default defineConfig(
  { ignores: ["src/api/schema.ts", "public/"] },
  js.configs.recommended,
  ts.configs.recommended,
  svelte.configs.recommended,
  {
    files: ["service-worker.js"],
    languageOptions: {
      globals: Object.fromEntries(
        ["self", "caches", "fetch", "location", "Request", "Response", "URL", "__NOTICES__"].map((name) => [
          name,
          "readonly",
        ]),
      ),
    },
  },
  {
    files: ["src/**/*.ts", "src/**/*.svelte"],
    languageOptions: {
      parserOptions: { parser: ts.parser, projectService: true, extraFileExtensions: [".svelte"] },
    },
    rules: {
      eqeqeq: "error",
      "no-console": "error",
      "no-undef": "off", // the compiler checks this
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-shadow": ["error", { allow: ["_"] }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_$" }],
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "svelte/no-unused-svelte-ignore": "off", // takes the words of the reason for rules
      "svelte/prefer-svelte-reactivity": "off", // local maps and sets are not state
      "svelte/require-store-reactive-access": "off", // there are no stores, and it asks for the type of everything
    },
  },
);
