/**
 * What is the same for every reader of a language: the page before its scripts run, the page that is shown without
 * a connection, the manifest, and the words of a notification without text. The build writes them (`installed.ts`).
 */
interface Messages {
  readonly locale: string;
  say(key: string, given: Record<string, never>): string;
}

/** The address of the manifest in a language. */
export const manifestPath = (language: string): string => `/manifest.${language}.webmanifest`;

/** The address of the page that is shown without a connection. */
export const offlinePath = (language: string): string => `/offline/${language}.html`;

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const html = (text: string): string => text.replace(/[&<>"]/g, (letter) => ESCAPES[letter] ?? letter);
/** A text in which `…` is a command. */
const withCode = (text: string): string => html(text).replace(/`([^`]+)`/g, "<code>$1</code>");

/** The page that is shown without a connection; it needs nothing but its style and picture. */
export function offlinePage(language: string, messages: Messages): string {
  const say = (key: string): string => html(messages.say(key, {}));
  const works = ["board", "terminal"].map((key) => messages.say(`installed.offline.works.${key}`, {}));
  const waits = ["games", "clock"].map((key) => messages.say(`installed.offline.waits.${key}`, {}));
  const list = (lines: string[]): string =>
    lines.map((line) => `        <li>${withCode(line)}</li>\n`).join("");
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${say("installed.offline.title")} – Flagfall</title>
    <link rel="stylesheet" href="/offline.css" />
  </head>
  <body>
    <main>
      <img src="/flagfall.svg" alt="" width="72" height="72" />
      <h1>${say("installed.offline.title")}</h1>
      <p>${say("installed.offline.about")}</p>
      <p><a class="button" href="">${say("installed.offline.again")}</a></p>
      <h2>${say("installed.offline.working")}</h2>
      <ul>
${list(works)}      </ul>
      <h2>${say("installed.offline.waiting")}</h2>
      <ul>
${list(waits)}      </ul>
    </main>
  </body>
</html>
`;
}

/** The page of the client as search engines and browsers without scripts see it: language, description, manifest. */
export function pageIn(language: string, messages: Messages, page: string): string {
  const description = `<meta name="description" content="${html(messages.say("installed.search", {}))}" />`;
  return page
    .replace(/<html lang="[^"]*"/, `<html lang="${language}"`)
    .replace(/<meta\s+name="description"[^>]*>/, () => description)
    .replace(/\/manifest\.\w+\.webmanifest/, manifestPath(language));
}

/** The manifest of the installed page. Its id is the same in each language, so that it is one app. */
export function manifest(messages: Messages): string {
  const say = (key: string): string => messages.say(key, {});
  const icon = (src: string, sizes: string, type = "image/png"): object => ({ src, sizes, type });
  return JSON.stringify({
    name: "Flagfall",
    short_name: "Flagfall",
    description: say("installed.description"),
    lang: messages.locale,
    id: "/",
    start_url: "/",
    scope: "/",
    display: "standalone",
    background_color: "#f4f0e6",
    theme_color: "#1d3f5e",
    categories: ["games"],
    icons: [
      icon("/flagfall.svg", "any", "image/svg+xml"),
      icon("/icons/192.png", "192x192"),
      icon("/icons/512.png", "512x512"),
      { ...icon("/icons/maskable-512.png", "512x512"), purpose: "maskable" },
    ],
    shortcuts: [
      { name: say("installed.my-games"), url: "/my-games" },
      { name: say("installed.puzzles"), url: "/puzzles" },
      { name: say("installed.lobby"), url: "/lobby" },
    ],
  });
}

/** The title and text of a notification that came without any. */
export const noticeWithoutText = (messages: Messages): { title: string; text: string } => ({
  title: messages.say("installed.notice.title", {}),
  text: messages.say("installed.notice.text", {}),
});
