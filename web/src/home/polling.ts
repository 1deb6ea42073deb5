/** Run an action at an interval while the page is visible, and at once when it becomes visible again. */
export function pollWhileVisible(action: () => void, everyMs: number): () => void {
  const poll = (): void => {
    if (!document.hidden) action();
  };
  const timer = setInterval(poll, everyMs);
  document.addEventListener("visibilitychange", poll);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", poll);
  };
}
