import { mount } from "svelte";
import App from "./App.svelte";
import "./theme.css";
import "./boxes.css";
import { manifestPath } from "./installed/pages";
import { language, loadLanguage } from "./languages";
import { applySettings } from "./ui/settings.svelte";

applySettings();
const root = document.getElementById("app");
if (root) void start(root);

async function start(target: HTMLElement): Promise<void> {
  await loadLanguage();
  document.querySelector("link[rel=manifest]")?.setAttribute("href", manifestPath(language()));
  mount(App, { target });
  // only for the page that is shown without a connection; the game works without it
  if (import.meta.env.PROD && "serviceWorker" in navigator)
    void navigator.serviceWorker.register(`/service-worker.js?language=${language()}`).catch(() => undefined);
}
