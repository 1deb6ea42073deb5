import type { Group } from "./messages";

export default import.meta.glob<Group>(
  ["./fr/*.toml", "../../../src/flagfall/languages/data/fr/levels.toml"],
  { eager: true, import: "default" },
);
