/** The list of puzzles: their kinds, how hard they are, and which comes next. */
import type { PuzzleLine, PuzzleList } from "../api/types";
import { t } from "../languages";

export const puzzlePath = (id: string): string => `/puzzles/${id}`;

/** The kinds in the order of the page. */
export const KINDS: readonly PuzzleLine["kind"][] = ["win", "sure", "power", "flag", "fight"];

/** The puzzles of one game, in the order of the list. */
export interface PuzzleRow {
  game: string;
  name: string;
  box: string;
  puzzles: PuzzleLine[];
}

export function rowsByGame(puzzles: readonly PuzzleLine[]): PuzzleRow[] {
  const rows = new Map<string, PuzzleRow>();
  for (const puzzle of puzzles) {
    const { game, game_name: name, box } = puzzle;
    const row = rows.get(game) ?? { game, name, box, puzzles: [] };
    row.puzzles.push(puzzle);
    rows.set(game, row);
  }
  return [...rows.values()];
}

const MIN_TRIES = 3;

/** How hard a puzzle is, by how many fail; nothing until a few guests have tried it. */
export function difficulty({ tried, solved }: Pick<PuzzleLine, "tried" | "solved">): string {
  if (tried < MIN_TRIES) return "";
  const failed = 1 - solved / tried;
  if (failed < 0.3) return t("puzzles.difficulty.easy");
  return failed < 0.6 ? t("puzzles.difficulty.medium") : t("puzzles.difficulty.hard");
}

/** The next puzzle of the same kind and game that is not solved yet, or else of the same kind, or else any. */
export function nextPuzzle(
  list: PuzzleList,
  id: string,
  isSolved: (id: string) => boolean,
): PuzzleLine | undefined {
  const { puzzles } = list;
  const at = puzzles.findIndex((puzzle) => puzzle.id === id);
  const here = puzzles[at];
  const open = [...puzzles.slice(at + 1), ...puzzles.slice(0, Math.max(at, 0))].filter(
    (puzzle) => !isSolved(puzzle.id),
  );
  const same = open.filter(({ kind }) => kind === here?.kind);
  return same.find(({ game }) => game === here?.game) ?? same[0] ?? open[0];
}
