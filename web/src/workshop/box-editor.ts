/** The text editor of a box: CodeMirror with TOML colours, completion and problems at their lines. */
import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  startCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, redo, undo } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { lintGutter, nextDiagnostic, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { BoxProblem, WorkshopSchema } from "../api/types";
import { t } from "../languages";
import { boxIcon, loadIcons } from "../ui/icons.svelte";
import { suggestionsAt, type Suggestion } from "./completion";
import { rangeOf } from "./problems";

interface Options {
  /** the styles of the editor go into a shadow root, because the page allows no others */
  root: ShadowRoot;
  text: string;
  label: string;
  /** null while it is not loaded: then nothing is offered */
  schema: () => WorkshopSchema | null;
  onchange: (text: string) => void;
  onsave: () => void;
}

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--good)" },
  { tag: [tags.atom, tags.number, tags.bool], color: "var(--warn)" },
  { tag: tags.propertyName, color: "var(--accent)" },
  { tag: [tags.keyword, tags.heading], color: "var(--ink)", fontWeight: "700" },
]);

const look = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--raised)", fontSize: "0.875rem" },
  "&.cm-focused": { outline: "3px solid var(--focus)", outlineOffset: "-3px" },
  ".cm-scroller": {
    fontFamily: "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
    lineHeight: "1.6",
  },
  ".cm-content": { caretColor: "var(--ink)", paddingBlock: "0.5rem" },
  ".cm-gutters": {
    backgroundColor: "var(--surface)",
    color: "var(--soft)",
    borderRight: "1px solid var(--line)",
  },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent) 8%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent) 14%, transparent)" },
  "&.cm-focused .cm-matchingBracket": {
    backgroundColor: "color-mix(in srgb, var(--accent) 25%, transparent)",
  },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad) 1.5px",
    textUnderlineOffset: "3px",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    border: "1px solid var(--line)",
    borderRadius: "8px",
    boxShadow: "var(--shadow)",
    zIndex: "20",
  },
  ".cm-tooltip-autocomplete > ul > li": { padding: "0.3rem 0.6rem", fontFamily: "var(--font)" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--accent)",
    color: "var(--accent-ink)",
  },
  ".cm-tooltip-autocomplete > ul": { maxHeight: "14rem" },
  ".cm-completionDetail": { opacity: "1", fontStyle: "normal", color: "inherit", fontSize: "0.8rem" },
  ".cm-completionInfo": {
    padding: "0.5rem 0.7rem",
    fontFamily: "var(--font)",
    fontSize: "0.85rem",
    maxWidth: "17rem",
  },
  ".cm-completionInfo svg": { width: "4rem", height: "4rem", fill: "currentcolor", display: "block" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-diagnostic": {
    fontFamily: "var(--font)",
    padding: "0.4rem 0.6rem",
    borderLeft: "4px solid var(--bad)",
  },
  ".cm-panels": { backgroundColor: "var(--surface)", color: "var(--ink)" },
  ".cm-panel.cm-search": { fontFamily: "var(--font)", padding: "0.4rem" },
  ".cm-textfield": {
    backgroundColor: "var(--raised)",
    border: "1px solid var(--soft)",
    borderRadius: "6px",
    padding: "0.25rem 0.4rem",
  },
  ".cm-button": {
    backgroundImage: "none",
    backgroundColor: "var(--raised)",
    border: "1px solid var(--line)",
    borderRadius: "6px",
    color: "inherit",
  },
  ".cm-searchMatch": { backgroundColor: "color-mix(in srgb, var(--warn) 30%, transparent)" },
});

/** The picture of an icon next to its name. */
async function drawIcon(name: string): Promise<Node> {
  await loadIcons([name]);
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 512 512");
  svg.setAttribute("aria-hidden", "true");
  svg.innerHTML = boxIcon(name); // from the icon set, at build time
  return svg;
}

function toCompletion(suggestion: Suggestion): Completion {
  const { label, insert, back, detail, help } = suggestion;
  const info = suggestion.is === "icon" ? () => drawIcon(label) : help || undefined;
  return {
    label,
    ...(detail ? { detail } : {}),
    ...(info ? { info } : {}),
    type: suggestion.is,
    boost: suggestion.is === "table" ? -20 : suggestion.isNeeded ? 10 : 0,
    apply(view, _, from, to) {
      const rest = /^[\w-]*/.exec(view.state.sliceDoc(to, to + 80))?.[0].length ?? 0;
      view.dispatch({
        changes: { from, to: to + rest, insert },
        selection: { anchor: from + insert.length - back },
        userEvent: "input.complete",
      });
      // inside new quotes or brackets there is more to choose
      if (back) startCompletion(view);
    },
  };
}

/** The words of the library, in the reader's language. */
const phrases = (): Record<string, string> => ({
  Find: t("workshop.search.find"),
  Replace: t("workshop.search.replace"),
  next: t("workshop.search.next"),
  previous: t("workshop.search.previous"),
  all: t("workshop.search.all"),
  "match case": t("workshop.search.match-case"),
  "by word": t("workshop.search.by-word"),
  regexp: t("workshop.search.regexp"),
  replace: t("workshop.search.replace-one"),
  "replace all": t("workshop.search.replace-all"),
  close: t("workshop.search.close"),
  "current match": t("workshop.search.current"),
  "on line": t("workshop.search.on-line"),
  "replaced match on line $": t("workshop.search.replaced"),
  "replaced $ matches": t("workshop.search.replaced-all"),
  "Go to line": t("workshop.search.go-to-line"),
  go: t("workshop.search.go"),
  Completions: t("workshop.search.completions"),
  "Selection deleted": t("workshop.search.deleted"),
});

const TRIGGERS = /["'[.{]$/;

export class BoxEditor {
  readonly #view: EditorView;

  constructor(options: Options) {
    const complete = (context: CompletionContext): CompletionResult | null => {
      const schema = options.schema();
      const text = context.state.doc.toString();
      const found = schema && suggestionsAt(text, context.pos, schema);
      if (!found) return null;
      const typed = text.slice(found.from, context.pos);
      if (!context.explicit && !typed && !TRIGGERS.test(text.slice(0, context.pos))) return null;
      // Enter after a finished word is a new line, not a choice
      const list = context.explicit ? found.list : found.list.filter(({ label }) => label !== typed);
      return { from: found.from, options: list.map(toCompletion), validFor: /^[\w.-]*$/ };
    };
    this.#view = new EditorView({
      parent: options.root,
      root: options.root,
      state: EditorState.create({
        doc: options.text,
        extensions: [
          lineNumbers(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          history(),
          StreamLanguage.define(toml),
          syntaxHighlighting(colours),
          bracketMatching(),
          closeBrackets(),
          autocompletion({ override: [complete], icons: false }),
          lintGutter(),
          search({ top: true }),
          highlightSelectionMatches(),
          look,
          EditorState.phrases.of(phrases()),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({
            "aria-label": options.label,
            tabindex: "0",
            spellcheck: "false",
            autocapitalize: "off",
          }),
          keymap.of([
            {
              key: "Mod-s",
              preventDefault: true,
              run: () => {
                options.onsave();
                return true;
              },
            },
            // without a list of suggestions Tab leaves the editor
            { key: "Tab", run: acceptCompletion },
            { key: "F8", run: nextDiagnostic },
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...historyKeymap,
            ...searchKeymap,
            ...defaultKeymap,
          ]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) options.onchange(update.state.doc.toString());
          }),
        ],
      }),
    });
  }

  /** Replace the whole text; it can be undone. */
  replace(text: string): void {
    const { doc } = this.#view.state;
    if (doc.toString() !== text) this.#view.dispatch({ changes: { from: 0, to: doc.length, insert: text } });
  }

  showProblems(problems: readonly BoxProblem[]): void {
    const { state } = this.#view;
    const text = state.doc.toString();
    const diagnostics = problems.map((problem): Diagnostic => {
      return { ...rangeOf(text, problem), severity: "error", message: problem.message };
    });
    this.#view.dispatch(setDiagnostics(state, diagnostics));
  }

  /** Move the cursor to a problem and show it. */
  goTo(problem: Pick<BoxProblem, "line" | "column">): void {
    const { from } = rangeOf(this.#view.state.doc.toString(), problem);
    this.#view.dispatch({
      selection: { anchor: from },
      effects: EditorView.scrollIntoView(from, { y: "center" }),
    });
    this.#view.focus();
  }

  undo(): void {
    undo(this.#view);
    this.#view.focus();
  }

  redo(): void {
    redo(this.#view);
    this.#view.focus();
  }

  destroy(): void {
    this.#view.destroy();
  }
}
