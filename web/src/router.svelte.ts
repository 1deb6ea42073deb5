import { isOverlaid } from "./ui/back-button.svelte";

/** The route of the current page. The server sends the same HTML for every path. */
type Route =
  | { page: "home" }
  | { page: "play"; match: string }
  | { page: "join"; token: string }
  | { page: "replay"; match: string }
  | { page: "rules"; game: string }
  | { page: "learn" }
  | { page: "lesson"; lesson: string }
  | { page: "lab"; game: string; side: "south" | "north" }
  | { page: "puzzles" }
  | { page: "puzzle"; puzzle: string }
  | { page: "lobby" }
  | { page: "my-games" }
  | { page: "workshop" }
  | { page: "workshop-box"; box: string }
  | { page: "shared-box"; box: string }
  | { page: "about" }
  | { page: "not-found" };

export function parsePath(path: string): Route {
  let parts: string[];
  try {
    parts = path.split("/").filter(Boolean).map(decodeURIComponent);
  } catch {
    return { page: "not-found" };
  }
  const [first, second, third] = parts;
  if (!first) return { page: "home" };
  if (first === "play" && second && parts.length === 2) return { page: "play", match: second };
  if (first === "join" && second && parts.length === 2) return { page: "join", token: second };
  if (first === "replay" && second && parts.length === 2) return { page: "replay", match: second };
  if (first === "rules" && second && third && parts.length === 3)
    return { page: "rules", game: `${second}/${third}` };
  if (first === "learn" && parts.length === 1) return { page: "learn" };
  if (first === "learn" && second && third && parts.length === 3)
    return { page: "lesson", lesson: `${second}/${third}` };
  if (first === "lab" && parts.length === 1) return { page: "lab", game: "", side: "south" };
  if (first === "lab" && second && third && (parts.length === 3 || (parts[3] === "north" && !parts[4])))
    return { page: "lab", game: `${second}/${third}`, side: parts[3] === "north" ? "north" : "south" };
  if (first === "puzzles" && parts.length === 1) return { page: "puzzles" };
  if (first === "puzzles" && second && parts.length === 2) return { page: "puzzle", puzzle: second };
  if (first === "lobby" && parts.length === 1) return { page: "lobby" };
  if (first === "my-games" && parts.length === 1) return { page: "my-games" };
  if (first === "workshop" && parts.length === 1) return { page: "workshop" };
  if (first === "workshop" && second && parts.length === 2) return { page: "workshop-box", box: second };
  if (first === "box" && second && parts.length === 2) return { page: "shared-box", box: second };
  if (first === "about" && parts.length === 1) return { page: "about" };
  return { page: "not-found" };
}

export const current = $state<{ route: Route; search: string }>({
  route: parsePath(location.pathname),
  search: location.search,
});

function follow(path: string, search: string): void {
  current.route = parsePath(path);
  current.search = search;
}

/** Go to a page, from a dialog too; its query string is left to the page. */
export function navigate(path: string): void {
  if (isOverlaid()) history.replaceState(null, "", path);
  else if (path !== location.pathname + location.search) history.pushState(null, "", path);
  const [pathname = "/", search = ""] = path.split("?");
  follow(pathname, search && `?${search}`);
  window.scrollTo(0, 0);
}

/** Drop the query string of the page, for one that is to be followed once only. */
export function dropQuery(): void {
  if (location.search) history.replaceState(null, "", location.pathname);
  current.search = "";
}

window.addEventListener("popstate", () => follow(location.pathname, location.search));

/** Click handler for the document that follows internal links without loading the page anew. */
export function followLinks(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest("a");
  if (!link || link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
  if (link.pathname.startsWith("/api/") || link.hash) return;
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
    return;
  event.preventDefault();
  navigate(link.pathname + link.search);
}
