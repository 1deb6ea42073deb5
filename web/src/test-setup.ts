import "@testing-library/jest-dom/vitest";
import { cleanup } from "@testing-library/svelte";
import { afterEach } from "vitest";
import { useMessages } from "./languages";
import english from "./languages/en";

useMessages("en", english);

afterEach(() => cleanup());

/** jsdom lays nothing out, so there is nothing to observe */
globalThis.ResizeObserver ??= class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};
