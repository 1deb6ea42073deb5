/** Which page is shown. Addresses are plain paths; the server answers every one of them with the same page. */
type Route =
  | { page: "home" }
  | { page: "play"; match: string }
  | { page: "join"; token: string }
  | { page: "replay"; match: string }
  | { page: "rules"; game: string }
  | { page: "lobby" }
  | { page: "about" }
  | { page: "missing" };

export function parsePath(path: string): Route {
  let parts: string[];
  try {
    parts = path.split("/").filter(Boolean).map(decodeURIComponent);
  } catch {
    return { page: "missing" };
  }
  const [first, second, third] = parts;
  if (!first) return { page: "home" };
  if (first === "play" && second && parts.length === 2) return { page: "play", match: second };
  if (first === "join" && second && parts.length === 2) return { page: "join", token: second };
  if (first === "replay" && second && parts.length === 2) return { page: "replay", match: second };
  if (first === "rules" && second && third && parts.length === 3)
    return { page: "rules", game: `${second}/${third}` };
  if (first === "lobby" && parts.length === 1) return { page: "lobby" };
  if (first === "about" && parts.length === 1) return { page: "about" };
  return { page: "missing" };
}

export const current = $state<{ route: Route }>({ route: parsePath(location.pathname) });

/** Show a page; what follows a question mark is for the page itself. */
export function navigate(path: string): void {
  if (path !== location.pathname + location.search) history.pushState(null, "", path);
  current.route = parsePath(path.split("?")[0] ?? "/");
  window.scrollTo(0, 0);
}

window.addEventListener("popstate", () => (current.route = parsePath(location.pathname)));

/** For a whole page: clicks on links of our own stay on it. */
export function followLinks(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest("a");
  if (!link || link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
  if (link.pathname.startsWith("/api/") || link.hash) return;
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
    return;
  event.preventDefault();
  navigate(link.pathname + link.search);
}
