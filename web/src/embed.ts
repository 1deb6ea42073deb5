/** The page that other sites may show in a frame: one replay, and nothing else of the client. */
import { mount } from "svelte";
import EmbeddedReplay from "./moments/EmbeddedReplay.svelte";
import "./theme.css";
import "./boxes.css";
import { loadLanguage } from "./languages";
import { applySettings } from "./ui/settings.svelte";

applySettings();
const root = document.getElementById("app");
const match = /^\/embed\/replay\/([^/]+)\/?$/.exec(location.pathname)?.[1] ?? "";
if (root) void loadLanguage().then(() => mount(EmbeddedReplay, { target: root, props: { match } }));
