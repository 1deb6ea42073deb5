/** What an author may write at the cursor, from the facts that the server sends about box files. */
import type { KeyFact, WorkshopSchema } from "../api/types";
import { t } from "../languages";
import { placeAt, tablesIn, type Place, type TableLines } from "./toml-place";

export interface Suggestion {
  /** what is shown and typed */
  label: string;
  /** what is put into the text */
  insert: string;
  /** how many characters before the end of `insert` the cursor stands */
  back: number;
  is: "table" | "key" | "value" | "icon";
  detail: string;
  help: string;
  /** whether the table must have this key */
  isNeeded?: boolean;
}

export interface Suggestions {
  from: number;
  list: Suggestion[];
}

/** The section of the schema for a table of a file: `kind.scout` → `kind.*`. */
export function sectionOf(
  schema: WorkshopSchema,
  names: readonly string[],
): WorkshopSchema["sections"][0] | null {
  return (
    schema.sections.find(({ path }) => {
      const parts = path ? path.split(".") : [];
      return parts.length === names.length && parts.every((part, at) => part === "*" || part === names[at]);
    }) ?? null
  );
}

export function suggestionsAt(text: string, position: number, schema: WorkshopSchema): Suggestions | null {
  const place = placeAt(text, position);
  const tables = tablesIn(text);
  const list =
    place.is === "title"
      ? titles(schema, tables, text.slice(position).startsWith("]"))
      : place.is === "key"
        ? keys(schema, tables, place, text, position)
        : place.is === "value"
          ? values(schema, tables, place)
          : [];
  return list.length ? { from: place.from, list } : null;
}

/** The names that the author gave to kinds, powers, armies, games or options. */
export const namesOf = (tables: readonly TableLines[], what: string): string[] => [
  ...new Set(
    tables.filter(({ names }) => names[0] === what && names[1]).map(({ names }) => names[1] as string),
  ),
];

function titles(schema: WorkshopSchema, tables: readonly TableLines[], isClosed: boolean): Suggestion[] {
  const written = new Set(tables.map(({ names }) => names.join(".")));
  return schema.sections
    .filter(({ path }) => path && !written.has(path))
    .map(({ path, help }) => {
      const end = isClosed ? "" : "]";
      const label = path.replaceAll("*", "…");
      // the cursor stands where the author's own name goes
      const back = path.includes("*") ? path.length - path.indexOf("*") - 1 + end.length : 0;
      return { label, insert: path.replaceAll("*", "") + end, back, is: "table", detail: "", help };
    });
}

function parametersOf(schema: WorkshopSchema, table: TableLines | undefined): readonly KeyFact[] {
  const verb = /^["']([^"']*)/.exec(table?.keys.get("verb") ?? "")?.[1];
  return schema.verbs.find(({ name }) => name === verb)?.parameters ?? [];
}

/** The table of a file at a place, without the inline tables around it. */
const tableAt = (tables: readonly TableLines[], names: readonly string[]): TableLines | undefined =>
  tables.find((table) => table.names.join(".") === names.join("."));

function factsAt(
  schema: WorkshopSchema,
  tables: readonly TableLines[],
  table: readonly string[],
): readonly KeyFact[] {
  const facts = sectionOf(schema, table)?.keys ?? [];
  return table[0] === "power" && table.length === 2
    ? [...facts, ...parametersOf(schema, tableAt(tables, table))]
    : facts;
}

function keys(
  schema: WorkshopSchema,
  tables: readonly TableLines[],
  place: Place,
  text: string,
  position: number,
): Suggestion[] {
  const written = tableAt(tables, place.table)?.keys;
  const hasValue = /^[ \t]*[A-Za-z0-9_-]*[ \t]*=/.test(text.slice(position));
  const key = (label: string, detail: string, help: string, value = ""): Suggestion => {
    const open = value.startsWith('"')
      ? '""'
      : value.startsWith("[")
        ? "[]"
        : value.startsWith("{")
          ? "{  }"
          : "";
    const back = open === "{  }" ? 2 : open ? 1 : 0;
    return {
      label,
      insert: hasValue ? label : `${label} = ${open}`,
      back: hasValue ? 0 : back,
      is: "key",
      detail,
      help,
    };
  };
  const facts = factsAt(schema, tables, place.table);
  const list = facts
    .filter((fact) => !written?.has(fact.name) && !fact.example.startsWith("["))
    .map((fact): Suggestion => {
      const value = fact.example.slice(fact.example.indexOf("=") + 1).trim();
      const usual = fact.default && t("workshop.editor.usually", { value: fact.default });
      const detail = fact.is_required ? t("workshop.editor.needed") : usual;
      return { ...key(fact.name, detail, fact.help, value), isNeeded: fact.is_required };
    });
  const section = sectionOf(schema, place.table);
  if (section && !facts.length)
    for (const name of section.names === "parameter"
      ? parameterNames(schema, tables, place)
      : namesFor(schema, tables, section.names))
      if (!written?.has(name)) list.push(key(name, "", ""));
  // at the beginning of a line a new table may begin
  if (!tableIsInline(tables, place) && text.slice(0, place.from).match(/(^|\n)[ \t]*$/))
    for (const title of titles(schema, tables, false))
      list.push({ ...title, label: `[${title.label}]`, insert: `[${title.insert}` });
  return list;
}

const parameterNames = (schema: WorkshopSchema, tables: readonly TableLines[], place: Place): string[] =>
  parametersOf(schema, tableAt(tables, place.table.slice(0, 2))).map(({ name }) => name);

const tableIsInline = (tables: readonly TableLines[], place: Place): boolean =>
  place.table.length > 0 && !tableAt(tables, place.table);

/** Names that a key or value may refer to. */
function namesFor(schema: WorkshopSchema, tables: readonly TableLines[], what: string): string[] {
  if (what === "icon") return [...schema.icons];
  if (what === "verb") return schema.verbs.map(({ name }) => name);
  if (what === "option") return [...namesOf(tables, what), ...schema.options.map(({ name }) => name)];
  return what ? namesOf(tables, what) : [];
}

function values(schema: WorkshopSchema, tables: readonly TableLines[], place: Place): Suggestion[] {
  const value = (label: string, isText: boolean, help = "", is: Suggestion["is"] = "value"): Suggestion => ({
    label,
    insert: isText && !place.isQuoted ? `"${label}"` : label,
    back: 0,
    is,
    detail: "",
    help,
  });
  const fact = factsAt(schema, tables, place.table).find(({ name }) => name === place.key);
  if (fact) {
    if (fact.type === "true or false")
      return place.isQuoted ? [] : ["true", "false"].map((one) => value(one, false));
    if (fact.type === "list of texts" && !place.isInList) return [];
    const help = new Map(schema.verbs.map((verb) => [verb.name, verb.help]));
    const names = fact.values.length ? fact.values : namesFor(schema, tables, fact.names);
    const isIcon = fact.names === "icon";
    return names.map((one) =>
      value(one, true, fact.names === "verb" ? help.get(one) : "", isIcon ? "icon" : "value"),
    );
  }
  const [first, , last] = place.table;
  if (first === "kind" && last === "icons") return schema.icons.map((one) => value(one, true, "", "icon"));
  if (first === "game" && last === "grants" && place.isInList)
    return namesOf(tables, "power").map((one) => value(one, true));
  if (first === "power" && last === "options")
    return namesFor(schema, tables, "option").map((one) => value(one, true));
  if (first === "game" && last === "defaults") {
    const option = schema.options.find(({ name }) => name === place.key);
    return (option?.values ?? []).map((one) => {
      const isText = !["on", "off"].includes(one) && !/^\d+$/.test(one);
      return value(one === "on" ? "true" : one === "off" ? "false" : one, isText);
    });
  }
  return [];
}
