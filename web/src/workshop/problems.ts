/** Problems of a box in its text. */
import type { BoxProblem } from "../api/types";

/** The characters that a problem is about: from its column to the end of the key, title or line. */
export function rangeOf(
  text: string,
  { line, column }: Pick<BoxProblem, "line" | "column">,
): { from: number; to: number } {
  let start = 0;
  for (let number = 1; number < line; number++) {
    const end = text.indexOf("\n", start);
    if (end < 0) break;
    start = end + 1;
  }
  const lineEnd = text.indexOf("\n", start);
  const end = lineEnd < 0 ? text.length : lineEnd;
  const from = Math.min(start + Math.max(0, column - 1), end);
  const rest = text.slice(from, end);
  const part = /^\[[^\]]*\]|^[\w-]+|^\S+/.exec(rest)?.[0] ?? rest.trimEnd();
  return { from, to: from + part.length };
}
