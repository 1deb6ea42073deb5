import type { Group } from "./messages";

export default import.meta.glob<Group>(
  ["./de/*.toml", "../../../src/flagfall/languages/data/de/levels.toml"],
  { eager: true, import: "default" },
);
