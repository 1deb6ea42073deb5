/** What a power would do: the server's facts as a drawing over the board and as words. */
import type { Choice, Hit } from "../api/types";
import type { Drawing } from "../board/marks";
import { isSquare } from "../board/geometry";
import { locale, t } from "../languages";
import { VERBS } from "./verbs";

/** A direction as it is seen on the screen. */
export interface Direction {
  arrow: string;
  key: string;
  words: string;
}

const COMPASS = ["north", "east", "south", "west"];
const ON_SCREEN = [
  { arrow: "↑", key: "ArrowUp", way: "up" },
  { arrow: "→", key: "ArrowRight", way: "right" },
  { arrow: "↓", key: "ArrowDown", way: "down" },
  { arrow: "←", key: "ArrowLeft", way: "left" },
];

/** The direction on the screen that a choice names, if it names one; North sees the board turned. */
export function directionOf(choice: Choice, isFlipped: boolean): Direction | undefined {
  const index = COMPASS.indexOf(choice.target);
  const seen = index < 0 ? undefined : ON_SCREEN[(index + (isFlipped ? 2 : 0)) % 4];
  return seen && { arrow: seen.arrow, key: seen.key, words: t(`play.way.${seen.way}`) };
}

/** How the possible choices are drawn: one in full, or several lightly and only with hits if `hasHits`. */
export function drawChoices(choices: readonly Choice[], isFaint = false, hasHits = !isFaint): Drawing {
  const unique = <Item>(items: Item[]): Item[] => [
    ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
  ];
  return {
    lines: unique(choices.flatMap(linesOf)),
    squares: isFaint ? [] : unique(choices.flatMap(({ preview }) => preview?.squares ?? [])),
    hits: hasHits ? hitsOf(choices) : [],
    then: isFaint ? [] : unique(choices.flatMap(({ preview }) => preview?.then ?? [])),
    isFaint,
  };
}

/** Everyone who is hit, once each; what would become of them is left out where it depends on the choice. */
function hitsOf(choices: readonly Choice[]): Drawing["hits"][number][] {
  const found = new Map<string, Drawing["hits"][number]>();
  for (const hit of choices.flatMap(({ preview }) => (preview?.hits ?? []).map(hitOf))) {
    const other = found.get(hit.square);
    found.set(hit.square, other && other.fate !== hit.fate ? { ...hit, fate: "" } : hit);
  }
  return [...found.values()];
}

const hitOf = ({ square, is_own, fate }: Hit): Drawing["hits"][number] => ({
  square,
  isOwn: is_own ?? false,
  fate: fate ?? "",
});

function linesOf(choice: Choice): Drawing["lines"][number][] {
  const { preview } = choice;
  const { line } = VERBS[choice.verb];
  const lines: Drawing["lines"][number][] = (preview?.ways ?? []).map(({ squares, is_lost }) => ({
    squares,
    line: line === "shot" ? "walk" : line,
    isLost: is_lost ?? false,
  }));
  if (line !== "shot" || !isSquare(choice.target)) return lines;
  const from = choice.stands || choice.origin;
  return [...lines, { squares: [from, choice.target], line, isLost: false }];
}

/** The number of enemies that a square to act from brings within reach, in a word or two; empty for none. */
export function countHits(choices: readonly Choice[]): string {
  const hits = choices.flatMap(({ preview }) => preview?.hits ?? []).filter(({ is_own }) => !is_own);
  const number = new Set(hits.map(({ square }) => square)).size;
  if (!number) return "";
  return t(choices.length === 1 ? "play.preview.count-hits" : "play.preview.count-targets", { number });
}

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A list in the reader's language: "d4, d5 and d6", "d4, d5 or d6". */
export const listWords = (words: readonly string[], last: "and" | "or" = "and"): string =>
  new Intl.ListFormat(locale(), { type: last === "and" ? "conjunction" : "disjunction" }).format(words);

/** What is certain about a choice, and whom it hits, as sentences; `names` says what stands on squares.
 *  `actor` is the square of the piece that acts; `isAsked`: the question of the preview is shown too. */
export function describePreview(
  { preview, verb, origin }: Choice,
  names: (squares: readonly string[]) => string,
  actor = origin,
  isAsked = false,
): string {
  if (!preview) return "";
  const sentences: string[] = [];
  const tell = (fate: Hit["fate"], message: string): void => {
    const squares = (preview.hits ?? [])
      .filter((hit) => (hit.fate ?? "") === fate && !(hit.is_own && preview.question))
      .map(({ square }) => square);
    if (squares.length) sentences.push(t(message, { pieces: names(squares.toSorted()) }));
  };
  if (["sweep", "choose square", "advance"].includes(verb)) tell("", "play.preview.hits");
  const isFight = !!preview.is_lost && !!preview.ways?.length && verb !== "sweep";
  const isTie = isFight && preview.hits?.[0]?.fate === "captured";
  if (!isFight) {
    tell("captured", "play.preview.captures");
    tell("converted", "play.preview.brings");
    tell("safe", verb === "advance" ? "play.preview.cannot-beat" : "play.preview.no-harm");
  }
  if (isTie) sentences.push(t("play.preview.both-lost"));
  else if (preview.is_lost && !(isAsked && preview.question))
    sentences.push(capitalise(t("play.preview.lost", { piece: names([actor]) })));
  const then = listWords(preview.then ?? [], "or");
  const key = verb === "swing" ? "play.preview.then-strike" : "play.preview.then-attack";
  if (then) sentences.push(t(key, { squares: then }));
  return sentences.join(" ");
}
