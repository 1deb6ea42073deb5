/**
 * Parses the part of Markdown that rules pages use. The result is drawn as elements, never as HTML, so raw
 * HTML in a text stays text.
 */
export type Span =
  | { is: "text"; text: string }
  | { is: "code"; text: string }
  | { is: "strong"; spans: Span[] }
  | { is: "em"; spans: Span[] }
  | { is: "link"; href: string; spans: Span[] };

export type Block =
  | { is: "heading"; level: number; id: string; spans: Span[] }
  | { is: "paragraph" | "quote"; spans: Span[] }
  | { is: "list"; isOrdered: boolean; items: Span[][] }
  | { is: "table"; head: Span[][]; rows: Span[][][] }
  | { is: "code"; text: string }
  | { is: "rule" };

const INLINE = /`([^`]+)`|\*\*(.+?)\*\*|\*([^*\s](?:[^*]*[^*\s])?)\*|\[([^\]]+)\]\(([^)\s]+)\)/;
const SAFE_LINK = /^(https?:\/\/|\/(?!\/)|#)/;
const BULLET = /^\s*[-*] +(.*)$/;
const NUMBER = /^\s*\d+[.)] +(.*)$/;
const HEADING = /^(#{1,6}) +(.*?)\s*#*$/;
const FENCE = /^```/;
const DIVIDER = /^\s*\|?\s*:?-{3,}/;
const RULE = /^\s*(?:-{3,}|\*{3,})\s*$/;

/** Parse inline Markdown: emphasis, code and links. */
export function parseSpans(text: string): Span[] {
  const spans: Span[] = [];
  let rest = text;
  for (let found = INLINE.exec(rest); found; found = INLINE.exec(rest)) {
    if (found.index > 0) spans.push({ is: "text", text: rest.slice(0, found.index) });
    spans.push(toSpan(found));
    rest = rest.slice(found.index + found[0].length);
  }
  if (rest) spans.push({ is: "text", text: rest });
  return spans;
}

function toSpan([whole, code, strong, em, words, href]: RegExpExecArray): Span {
  if (code !== undefined) return { is: "code", text: code };
  if (strong !== undefined) return { is: "strong", spans: parseSpans(strong) };
  if (em !== undefined) return { is: "em", spans: parseSpans(em) };
  if (words !== undefined && href !== undefined && SAFE_LINK.test(href))
    return { is: "link", href, spans: parseSpans(words) };
  return { is: "text", text: whole };
}

/** The text without its formatting. */
export const plainText = (spans: Span[]): string =>
  spans.map((span) => ("spans" in span ? plainText(span.spans) : span.text)).join("");

const slug = (words: string): string =>
  words
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, "")
    .trim()
    .replace(/ +/g, "-");

class Parser {
  #index = 0;
  #ids = new Map<string, number>();

  constructor(private lines: string[]) {}

  blocks(): Block[] {
    const found: Block[] = [];
    while (this.#index < this.lines.length) {
      if (!this.#line().trim()) this.#index++;
      else found.push(this.#block());
    }
    return found;
  }

  #line = (): string => this.lines[this.#index] ?? "";

  #block(): Block {
    const line = this.#line();
    if (FENCE.test(line)) return this.#code();
    const heading = HEADING.exec(line);
    if (heading) return this.#heading(heading[1] ?? "#", heading[2] ?? "");
    if (RULE.test(line)) return (this.#index++, { is: "rule" });
    if (BULLET.test(line)) return this.#list(BULLET, false);
    if (NUMBER.test(line)) return this.#list(NUMBER, true);
    if (line.includes("|") && DIVIDER.test(this.lines[this.#index + 1] ?? "")) return this.#table();
    if (line.startsWith(">")) return this.#quote();
    return { is: "paragraph", spans: parseSpans(this.#paragraph()) };
  }

  #heading(marks: string, words: string): Block {
    this.#index++;
    const spans = parseSpans(words);
    const name = slug(plainText(spans)) || "part";
    const times = (this.#ids.get(name) ?? 0) + 1;
    this.#ids.set(name, times);
    return { is: "heading", level: marks.length, id: times > 1 ? `${name}-${times}` : name, spans };
  }

  #code(): Block {
    const text: string[] = [];
    for (this.#index++; this.#index < this.lines.length && !FENCE.test(this.#line()); this.#index++)
      text.push(this.#line());
    this.#index++;
    return { is: "code", text: text.join("\n") };
  }

  #list(mark: RegExp, isOrdered: boolean): Block {
    const items: string[] = [];
    for (; this.#line().trim(); this.#index++) {
      const item = mark.exec(this.#line());
      if (item) items.push(item[1] ?? "");
      else if (/^\s/.test(this.#line())) items.push(`${items.pop() ?? ""} ${this.#line().trim()}`);
      else break;
    }
    return { is: "list", isOrdered, items: items.map(parseSpans) };
  }

  #table(): Block {
    const head = cells(this.#line());
    const rows: Span[][][] = [];
    for (this.#index += 2; this.#line().includes("|"); this.#index++) rows.push(cells(this.#line()));
    return { is: "table", head, rows };
  }

  #quote(): Block {
    const text: string[] = [];
    for (; this.#line().startsWith(">"); this.#index++) text.push(this.#line().replace(/^> ?/, ""));
    return { is: "quote", spans: parseSpans(text.join(" ")) };
  }

  #paragraph(): string {
    const text: string[] = [];
    do {
      text.push(this.#line().trim());
      this.#index++;
    } while (this.#line().trim() && !isStart(this.#line()));
    return text.join(" ");
  }
}

const isStart = (line: string): boolean =>
  FENCE.test(line) || HEADING.test(line) || BULLET.test(line) || NUMBER.test(line) || line.startsWith(">");

const cells = (line: string): Span[][] =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => parseSpans(cell.trim()));

export const parseMarkdown = (text: string): Block[] => new Parser(text.split(/\r?\n/)).blocks();

interface Section {
  id: string;
  title: string;
  blocks: Block[];
}

/** Split a page at its second-level headings; a part before the first one has no title. */
export function sectionsOf(blocks: Block[]): Section[] {
  const sections: Section[] = [{ id: "", title: "", blocks: [] }];
  for (const block of blocks) {
    if (block.is === "heading" && block.level === 1) continue;
    if (block.is === "heading" && block.level === 2)
      sections.push({ id: block.id, title: plainText(block.spans), blocks: [] });
    else sections.at(-1)?.blocks.push(block);
  }
  return sections.filter((section) => section.id || section.blocks.length);
}
