import { describe, expect, it } from "vitest";
import { parseDiagram } from "./diagram";
import { plainText, parseMarkdown, parseSpans, sectionsOf } from "./markdown";

describe("a rules page", () => {
  it("gives every heading an id, each only once", () => {
    const page = parseMarkdown("# Onyx\n\n## The armies\n\n### Évil (South)\n\n## The armies");
    expect(page.map((block) => (block.is === "heading" ? block.id : ""))).toEqual([
      "onyx",
      "the-armies",
      "evil-south",
      "the-armies-2",
    ]);
  });

  it("joins the lines of a paragraph and ends it at an empty line", () => {
    const page = parseMarkdown("One\ntwo.\n\nThree.");
    expect(page.map((block) => ("spans" in block ? plainText(block.spans) : ""))).toEqual([
      "One two.",
      "Three.",
    ]);
  });

  it("reads lists, also numbered ones and those with long items", () => {
    const [bullets, numbers] = parseMarkdown("- **Flag**: stays\n- moves\n  on\n\n1. first\n2. second");
    expect(bullets).toMatchObject({ is: "list", isOrdered: false });
    expect(bullets?.is === "list" && bullets.items.map(plainText)).toEqual(["Flag: stays", "moves on"]);
    expect(numbers?.is === "list" && numbers.items.map(plainText)).toEqual(["first", "second"]);
  });

  it("reads tables with empty cells and bold words", () => {
    const [table] = parseMarkdown(
      "| Label | Piece | Count |\n|---|---|---|\n| 10 | Dragon | 1 |\n| | **Together** | **30** |\n\nEnd",
    );
    expect(table?.is === "table" && table.head.map(plainText)).toEqual(["Label", "Piece", "Count"]);
    expect(table?.is === "table" && table.rows.map((row) => row.map(plainText))).toEqual([
      ["10", "Dragon", "1"],
      ["", "Together", "30"],
    ]);
  });

  it("reads emphasis, code and safe links", () => {
    expect(parseSpans("*The* **Spy** types `d4-d5`, see [rules](/rules/onyx/classic).")).toEqual([
      { is: "em", spans: [{ is: "text", text: "The" }] },
      { is: "text", text: " " },
      { is: "strong", spans: [{ is: "text", text: "Spy" }] },
      { is: "text", text: " types " },
      { is: "code", text: "d4-d5" },
      { is: "text", text: ", see " },
      { is: "link", href: "/rules/onyx/classic", spans: [{ is: "text", text: "rules" }] },
      { is: "text", text: "." },
    ]);
  });

  it.each(["javascript:alert(1)", "//elsewhere.example", "data:text/html,x"])(
    "makes no link to %s",
    (href) => {
      expect(parseSpans(`[press](${href})`).some((span) => span.is === "link")).toBe(false);
    },
  );

  it("leaves raw HTML as text", () => {
    const [block] = parseMarkdown("<img src=x onerror=alert(1)>");
    expect(block).toEqual({
      is: "paragraph",
      spans: [{ is: "text", text: "<img src=x onerror=alert(1)>" }],
    });
  });

  it("keeps asterisks that are not emphasis, and an unclosed code block", () => {
    expect(plainText(parseSpans("3 * 4 * 5"))).toBe("3 * 4 * 5");
    expect(parseMarkdown("```text\nP x")).toEqual([{ is: "code", text: "P x" }]);
  });

  it("is split at its second-level headings, without its title", () => {
    const sections = sectionsOf(parseMarkdown("# Title\n\nStory\n\n## Moving\n\n- one\n\n## Hints"));
    expect(sections.map((section) => [section.title, section.blocks.length])).toEqual([
      ["", 1],
      ["Moving", 1],
      ["Hints", 0],
    ]);
  });
});

describe("a diagram", () => {
  it("of a board has columns, numbers and a legend", () => {
    const diagram = parseDiagram(
      "    a b c\n 10 n n n  10\n  9 . # .  9\n    a b c\n\ns  home    n  theirs\n#  lakes",
    );
    expect(diagram).toMatchObject({
      rows: [
        ["n", "n", "n"],
        [".", "#", "."],
      ],
      columns: ["a", "b", "c"],
      numbers: ["10", "9"],
      legend: [
        { symbol: "s", words: "home" },
        { symbol: "n", words: "theirs" },
        { symbol: "#", words: "lakes" },
      ],
    });
  });

  it("of a power has squares only", () => {
    expect(parseDiagram("x x x\nx P x\nx x x")?.rows).toHaveLength(3);
    expect(parseDiagram("P o o # x")?.rows).toEqual([["P", "o", "o", "#", "x"]]);
  });

  it("is not read from other texts", () => {
    expect(parseDiagram("flagfall play onyx/classic")).toBeNull();
    expect(parseDiagram("x x\nx")).toBeNull();
  });
});
