import { mount } from "svelte";
import App from "./App.svelte";
import "./theme.css";
import "./boxes.css";
import { applySettings } from "./ui/settings.svelte";

applySettings();
const root = document.getElementById("app");
if (root) mount(App, { target: root });
