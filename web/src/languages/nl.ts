import type { Group } from "./messages";

export default import.meta.glob<Group>(
  ["./nl/*.toml", "../../../src/flagfall/languages/data/nl/levels.toml"],
  { eager: true, import: "default" },
);
