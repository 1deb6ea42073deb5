/** Vite plugin: writes the page and what belongs to the installed page, in each language, and the service worker. */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import type { Plugin } from "vite";
import {
  manifest,
  manifestPath,
  noticeWithoutText,
  offlinePage,
  offlinePath,
  pageIn,
} from "./src/installed/pages.ts";
import { type Group, Messages } from "./src/languages/messages.ts";

const LOCALES = { en: "en-GB", nl: "nl", de: "de", fr: "fr" };

function messagesIn(web: string, language: string, locale: string): Messages {
  const file = join(web, "src", "languages", language, "installed.toml");
  const group = parse(readFileSync(file, "utf8")) as unknown as Group;
  return new Messages(locale, { "installed.toml": group });
}

export function installed(web: string, site: string): Plugin {
  return {
    name: "installed",
    apply: "build",
    generateBundle() {
      const emit = (path: string, source: string): void => {
        this.emitFile({ type: "asset", fileName: path.slice(1), source });
      };
      const digest = createHash("sha256").update(readFileSync(join(web, "public", "offline.css")));
      const notices: Record<string, object> = {};
      for (const [language, locale] of Object.entries(LOCALES)) {
        const messages = messagesIn(web, language, locale);
        const page = offlinePage(language, messages);
        digest.update(page);
        notices[language] = noticeWithoutText(messages);
        emit(offlinePath(language), page);
        emit(manifestPath(language), manifest(messages));
        // the address of earlier versions, which browsers may still ask for
        if (language === "en") emit("/manifest.webmanifest", manifest(messages));
      }
      const worker = readFileSync(join(web, "service-worker.js"), "utf8")
        .replace("__NOTICES__", () => JSON.stringify(notices))
        .replace("__DIGEST__", digest.digest("hex").slice(0, 12));
      emit("/service-worker.js", worker);
    },
    closeBundle() {
      const page = readFileSync(join(site, "index.html"), "utf8");
      for (const [language, locale] of Object.entries(LOCALES)) {
        const translated = pageIn(language, messagesIn(web, language, locale), page);
        writeFileSync(join(site, language === "en" ? "index.html" : `index.${language}.html`), translated);
      }
    },
  };
}
