/*
 * Shows a page of its own when the server cannot be reached, and notifications. It keeps the few files
 * of that page, and never an answer of the API or anything of a game. Every page comes from the server, so
 * a new build replaces the old one at the next load. The build fills in the words of each language and the
 * digest of the pages (`installed.ts`); the reader's language is in the address of this script.
 */
const NOTICES = __NOTICES__;
const known = (language) => Object.hasOwn(NOTICES, language);
const asked = new URL(self.location.href).searchParams.get("language") ?? "";
const ofTheBrowser = self.navigator.languages.map((tag) => tag.toLowerCase().split("-")[0]);
const LANGUAGE = [asked, ...ofTheBrowser].find(known) ?? "en";
const PAGE = `/offline/${LANGUAGE}.html`;
const CACHE = `offline-${LANGUAGE}-__DIGEST__`;
const FILES = [PAGE, "/offline.css", "/flagfall.svg"];

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
    return (await caches.match(PAGE)) ?? Response.error();
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

/*
 * Notifications. The server says whose turn it is, in which game and against whom, and never more. A newer
 * notification about a match replaces the older one.
 */
function readNotice(data) {
  try {
    const { title, text, match, waiting } = data.json();
    if ([title, text, match].every((one) => typeof one === "string")) return { title, text, match, waiting };
  } catch {
    // not from this version of the server
  }
  return { ...NOTICES[LANGUAGE], match: "", waiting: undefined };
}

const pathOf = (match) => (match ? `/play/${encodeURIComponent(match)}` : "/");

async function showNotice(notice) {
  if (Number.isInteger(notice.waiting)) await self.navigator.setAppBadge?.(notice.waiting).catch(() => {});
  await self.registration.showNotification(notice.title, {
    body: notice.text,
    tag: notice.match || "flagfall",
    renotify: true,
    icon: "/icons/192.png",
    data: pathOf(notice.match),
  });
}

self.addEventListener("push", (event) => {
  if (event.data) event.waitUntil(showNotice(readNotice(event.data)));
});

async function openMatch(path) {
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const tab = tabs.find((one) => new URL(one.url).pathname === path);
  await (tab ? tab.focus() : self.clients.openWindow(path));
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openMatch(event.notification.data ?? "/"));
});

/* The browser has replaced the subscription: tell the server, as the guest of the cookie. */
async function renewSubscription(old) {
  const options = old?.options;
  if (!options?.applicationServerKey) return;
  const { applicationServerKey, userVisibleOnly } = options;
  const made = await self.registration.pushManager.subscribe({ applicationServerKey, userVisibleOnly });
  const { endpoint, keys } = made.toJSON();
  await fetch("/api/push", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ endpoint, p256dh: keys.p256dh, auth: keys.auth }),
  });
}

self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(renewSubscription(event.oldSubscription));
});
