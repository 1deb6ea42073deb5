/*
 * Shows a page of its own when the server cannot be reached, and does nothing else: it keeps the few files
 * of that page, and never an answer of the API or anything of a game. Every page comes from the server, so
 * a new build replaces the old one at the next load.
 */
const CACHE = "offline-1";
const FILES = ["/offline.html", "/offline.css", "/flagfall.svg"];

self.addEventListener("install", (event) => {
  const fresh = FILES.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(fresh))
      .then(() => self.skipWaiting()),
  );
});

async function takeOver() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

self.addEventListener("activate", (event) => event.waitUntil(takeOver()));

async function page(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await caches.match("/offline.html")) ?? Response.error();
  }
}

async function fileOfThePage(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(request)) ?? Response.error();
  }
}

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (origin !== location.origin || event.request.method !== "GET") return;
  if (event.request.mode === "navigate" && !pathname.startsWith("/api/")) event.respondWith(page(event));
  else if (FILES.includes(pathname)) event.respondWith(fileOfThePage(event.request));
});
