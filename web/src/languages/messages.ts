/** Messages by key in one language: texts with arguments in braces, and tables of which a number or word chooses.
 *
 * A key is the name of the file and the keys in it: `home.title`. The files have the same form as those of the
 * server; `docs/languages.md` describes it.
 */
export type Message = string | { [form: string]: Message };
export interface Group {
  [key: string]: Message;
}
export type Arguments = Readonly<Record<string, string | number>>;

const CATEGORIES = new Set(["zero", "one", "two", "few", "many", "other"]);

/** Return whether a table is one message, not a group of messages. */
function isChoice(table: { [key: string]: Message }): boolean {
  return "other" in table && ("by" in table || Object.keys(table).every((key) => CATEGORIES.has(key)));
}

/** Return all messages of the files of a language by key. */
export function flatten(files: Readonly<Record<string, Group>>): Map<string, Message> {
  const found = new Map<string, Message>();
  const add = (prefix: string, group: Group): void => {
    for (const [key, message] of Object.entries(group)) {
      if (typeof message === "string" || isChoice(message)) found.set(`${prefix}.${key}`, message);
      else add(`${prefix}.${key}`, message);
    }
  };
  for (const [file, group] of Object.entries(files)) add(file.replace(/^.*\/|\.toml$/g, ""), group);
  return found;
}

/** The messages of one language. */
export class Messages {
  private readonly messages: Map<string, Message>;
  private readonly plurals: Intl.PluralRules;
  private readonly numbers: Intl.NumberFormat;
  private readonly percents: Intl.NumberFormat;

  constructor(
    readonly locale: string,
    files: Readonly<Record<string, Group>>,
  ) {
    this.messages = flatten(files);
    this.plurals = new Intl.PluralRules(locale);
    this.numbers = new Intl.NumberFormat(locale);
    this.percents = new Intl.NumberFormat(locale, { style: "percent" });
  }

  /** Return whether there is a message with this key. */
  has(key: string): boolean {
    return this.messages.has(key);
  }

  /** Return a message with its arguments. */
  say(key: string, given: Arguments): string {
    const chosen = this.text(key, given);
    return chosen.replace(/\{(\w+)(?::(percent))?\}/g, (_, name: string, style?: string) => {
      const value = given[name];
      if (value === undefined) throw new Error(`The message ${key} needs “${name}”.`);
      if (typeof value === "string") return value;
      return (style ? this.percents : this.numbers).format(value);
    });
  }

  private text(key: string, given: Arguments): string {
    let message = this.messages.get(key);
    if (message === undefined) throw new Error(`There is no message “${key}”.`);
    while (typeof message !== "string") {
      const value: string | number | undefined =
        given[typeof message.by === "string" ? message.by : "number"];
      const form: string = typeof value === "number" ? this.plurals.select(value) : String(value);
      message = message[form] ?? message.other ?? "";
    }
    return message;
  }
}
