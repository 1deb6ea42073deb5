/** Where in a box file the cursor is: in the title of a table, a key or a value. */

export interface Place {
  is: "title" | "key" | "value" | "other";
  /** the names in the title of the table above, then the keys of the inline tables around the cursor */
  table: string[];
  /** the key whose value this is */
  key: string;
  /** where the word at the cursor begins */
  from: number;
  isQuoted: boolean;
  /** whether the value is in a list */
  isInList: boolean;
}

const BARE = /[A-Za-z0-9_+.:-]/;
/** titles are split at the dots outside quotes */
const NAMES = /"([^"]*)"|'([^']*)'|([^.\s]+)/g;

const namesIn = (title: string): string[] =>
  [...title.matchAll(NAMES)].map((found) => found[1] ?? found[2] ?? found[3] ?? "");

/** The index behind a text in quotes that begins at `start`; behind the last character if it does not end. */
function endOfText(text: string, start: number): { end: number; isClosed: boolean; quote: string } {
  const mark = text[start] ?? "";
  const quote = text.startsWith(mark.repeat(3), start) ? mark.repeat(3) : mark;
  for (let at = start + quote.length; at < text.length; at++) {
    if (mark === '"' && text[at] === "\\") at++;
    else if (quote.length === 1 && text[at] === "\n") return { end: at, isClosed: false, quote };
    else if (text.startsWith(quote, at)) return { end: at + quote.length, isClosed: true, quote };
  }
  return { end: text.length, isClosed: false, quote };
}

/** Read the text up to the cursor. It may be unfinished anywhere. */
export function placeAt(text: string, position: number): Place {
  let title: string[] = [];
  const open: { is: "list" | "table"; key: string }[] = [];
  let key = "";
  let isValue = false;
  const place = (is: Place["is"], from: number, isQuoted = false): Place => ({
    is,
    table: [...title, ...open.filter((one) => one.is === "table").map((one) => one.key)],
    key: isValue ? key : "",
    from,
    isQuoted,
    isInList: open.at(-1)?.is === "list",
  });
  const here = (): Place["is"] => (isValue ? "value" : "key");

  let at = 0;
  while (at < position) {
    const character = text[at] ?? "";
    if (character === "#") {
      const end = text.indexOf("\n", at);
      if (end < 0 || end >= position) return place("other", position);
      at = end;
    } else if (character === '"' || character === "'") {
      const { end, isClosed, quote } = endOfText(text, at);
      if (position < end || (!isClosed && position <= end))
        return quote.length === 1 ? place(here(), at + 1, true) : place("other", position);
      if (!isValue) key = text.slice(at + quote.length, end - quote.length);
      at = end;
    } else if (character === "[" && !isValue && !open.length) {
      const line = text.indexOf("\n", at);
      const end = line < 0 ? text.length : line;
      const close = text.slice(at, end).indexOf("]");
      const stop = close < 0 ? end : at + close;
      if (position <= stop) return { ...place("title", at + 1), table: [] };
      title = namesIn(text.slice(at, stop).replaceAll("[", ""));
      at = end;
      if (position <= end) return place("other", position);
    } else if (BARE.test(character)) {
      let end = at;
      while (end < text.length && BARE.test(text[end] ?? "")) end++;
      if (position <= end) return place(here(), at);
      if (!isValue) key = text.slice(at, end);
      at = end;
    } else {
      if (character === "=") isValue = true;
      else if (character === "[") open.push({ is: "list", key });
      else if (character === "{") {
        open.push({ is: "table", key });
        isValue = false;
      } else if (character === "]" || character === "}") {
        key = open.pop()?.key ?? key;
        isValue = true;
      } else if (character === ",") isValue = open.at(-1)?.is !== "table";
      else if (character === "\n" && !open.length) isValue = false;
      at++;
    }
  }
  return place(here(), position);
}

/** A table of the file: its names, the keys in it, and from which to which line it goes. */
export interface TableLines {
  names: string[];
  keys: Map<string, string>;
  first: number;
  last: number;
}

const TITLE = /^\s*\[+([^\]]*)\]/;
const ASSIGNMENT = /^\s*([A-Za-z0-9_-]+)\s*=\s*(.*)$/;

/** The tables of a file in their order; the first is the top of the file. */
export function tablesIn(text: string): TableLines[] {
  const tables: TableLines[] = [{ names: [], keys: new Map(), first: 0, last: 0 }];
  let longText = "";
  text.split("\n").forEach((line, number) => {
    let table = tables.at(-1) as TableLines;
    if (!longText) {
      const title = TITLE.exec(line);
      if (title) {
        table = { names: namesIn(title[1] ?? ""), keys: new Map(), first: number, last: number };
        tables.push(table);
      }
      const [, key, value] = ASSIGNMENT.exec(line) ?? [];
      if (key) table.keys.set(key, value ?? "");
    }
    table.last = number;
    for (const [quote] of line.matchAll(/"""|'''/g)) {
      if (!longText) longText = quote;
      else if (longText === quote) longText = "";
    }
  });
  return tables;
}
