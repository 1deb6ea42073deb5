/**
 * Notifications on this device: the switch, and the browser's subscription behind it.
 *
 * Permission is asked only when the user turns them on. The server stores the subscription of a device; the
 * service worker shows what it sends.
 */
import { api, ApiError, errorMessage } from "../api/http";
import { t } from "../languages";
import { showWaiting } from "./badge";

type State = "unknown" | "unsupported" | "denied" | "off" | "on";

const SENT = "flagfall.device";

export const notifications = $state<{ state: State; isBusy: boolean; error: string }>({
  state: "unknown",
  isBusy: false,
  error: "",
});

export const isSupported = (): boolean =>
  "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** Find out how things are, and tell the server again about a device that is on, once in each tab. */
export async function loadNotifications(): Promise<void> {
  if (!isSupported()) {
    notifications.state = "unsupported";
    return;
  }
  const subscription = await currentSubscription();
  if (Notification.permission === "denied") notifications.state = "denied";
  else notifications.state = subscription && Notification.permission === "granted" ? "on" : "off";
  if (notifications.state !== "on" || !subscription || wasSent()) return;
  try {
    await store(subscription);
  } catch {
    // it is told again by the next tab
  }
}

export async function turnOn(): Promise<void> {
  await change(async () => {
    const permission = await Notification.requestPermission();
    if (permission !== "granted") {
      notifications.state = permission === "denied" ? "denied" : "off";
      return;
    }
    await api.me();
    const { key } = await api.push();
    if (!key) throw new ApiError("no-push", t("notify.no-server"));
    try {
      await store(await subscribe(key));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "taken") throw error;
      await (await currentSubscription())?.unsubscribe();
      await store(await subscribe(key));
    }
    notifications.state = "on";
  });
}

export async function turnOff(): Promise<void> {
  await change(async () => {
    const subscription = await currentSubscription();
    if (subscription) {
      await api.removeDevice(subscription.endpoint);
      await subscription.unsubscribe();
    }
    forgetSent();
    notifications.state = "off";
  });
}

/**
 * Count the waiting games again when a turn has begun or ended on the open page of a match. While the page is
 * in the background it shows the notification itself, because the server knows that it is open.
 */
export async function followTurn(match: string, isYourTurn: boolean, game: string): Promise<void> {
  try {
    showWaiting((await api.push()).waiting);
    if (!isYourTurn || !document.hidden || !isSupported() || Notification.permission !== "granted") return;
    const registration = await navigator.serviceWorker.getRegistration();
    if (!(await registration?.pushManager.getSubscription())) return;
    const data = `/play/${encodeURIComponent(match)}`;
    await registration?.showNotification(t("notify.your-turn"), {
      body: game,
      tag: match,
      icon: "/icons/192.png",
      data,
    });
  } catch {
    // the title of the tab says it too
  }
}

async function change(work: () => Promise<void>): Promise<void> {
  if (notifications.isBusy) return;
  notifications.isBusy = true;
  notifications.error = "";
  try {
    await work();
  } catch (error) {
    notifications.error = error instanceof ApiError ? errorMessage(error) : t("notify.no-service");
  } finally {
    notifications.isBusy = false;
  }
}

async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

async function subscribe(key: string): Promise<PushSubscription> {
  const registration = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: bytesOf(key) };
  try {
    return await registration.pushManager.subscribe(options);
  } catch (error) {
    // a subscription with an earlier key of this server has to go first
    const old = await registration.pushManager.getSubscription();
    if (!old) throw error;
    await old.unsubscribe();
    return registration.pushManager.subscribe(options);
  }
}

async function store(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  const state = await api.addDevice({
    endpoint: endpoint ?? "",
    p256dh: keys?.["p256dh"] ?? "",
    auth: keys?.["auth"] ?? "",
  });
  showWaiting(state.waiting);
  try {
    sessionStorage.setItem(SENT, "yes");
  } catch {
    // without storage it is sent at every load
  }
}

function wasSent(): boolean {
  try {
    return sessionStorage.getItem(SENT) !== null;
  } catch {
    return false;
  }
}

function forgetSent(): void {
  try {
    sessionStorage.removeItem(SENT);
  } catch {
    // nothing was stored
  }
}

/** The bytes of a base64url text. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}
