import { mount } from "svelte";
import App from "./App.svelte";
import "./theme.css";
import "./boxes.css";
import { showSettings } from "./ui/settings.svelte";

showSettings();
const root = document.getElementById("app");
if (root) mount(App, { target: root });
