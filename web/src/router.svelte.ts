/** The route of the current page. The server sends the same HTML for every path. */
type Route =
  | { page: "home" }
  | { page: "play"; match: string }
  | { page: "join"; token: string }
  | { page: "replay"; match: string }
  | { page: "rules"; game: string }
  | { page: "learn" }
  | { page: "lesson"; lesson: string }
  | { page: "lobby" }
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
  if (first === "lobby" && parts.length === 1) return { page: "lobby" };
  if (first === "about" && parts.length === 1) return { page: "about" };
  return { page: "not-found" };
}

export const current = $state<{ route: Route }>({ route: parsePath(location.pathname) });

/** Go to a page; its query string is left to the page. */
export function navigate(path: string): void {
  if (path !== location.pathname + location.search) history.pushState(null, "", path);
  current.route = parsePath(path.split("?")[0] ?? "/");
  window.scrollTo(0, 0);
}

window.addEventListener("popstate", () => (current.route = parsePath(location.pathname)));

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
