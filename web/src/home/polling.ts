/** Do something again and again while the page is looked at, and at once when it comes back. */
export function pollWhileVisible(action: () => void, everyMs: number): () => void {
  const look = (): void => {
    if (!document.hidden) action();
  };
  const timer = setInterval(look, everyMs);
  document.addEventListener("visibilitychange", look);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", look);
  };
}
