import { mount } from "svelte";
import App from "./App.svelte";
import "./theme.css";
import "./boxes.css";
import { loadLanguage } from "./languages";
import { applySettings } from "./ui/settings.svelte";

applySettings();
const root = document.getElementById("app");
if (root) void loadLanguage().then(() => mount(App, { target: root }));

// only for the page that is shown without a connection; the game works without it
if (import.meta.env.PROD && "serviceWorker" in navigator)
  void navigator.serviceWorker.register("/service-worker.js").catch(() => undefined);
