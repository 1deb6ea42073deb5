import type { Group } from "./messages";

export default import.meta.glob<Group>(
  ["./en/*.toml", "../../../src/flagfall/languages/data/en/levels.toml"],
  { eager: true, import: "default" },
);
