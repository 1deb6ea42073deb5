/** How many games wait for the user: on the icon of the installed app, and before the title of the tab. */
import type { MatchSummary } from "../api/types";

const PREFIX = /^\(\d+\) /;
let waiting = 0;
let observer: MutationObserver | undefined;

/** Games against other people in which it is the user's turn. */
export const countWaiting = (matches: readonly MatchSummary[]): number =>
  matches.filter((match) => match.is_your_turn && isAgainstPerson(match)).length;

const isAgainstPerson = (match: MatchSummary): boolean =>
  match.opponent === "friend" || match.opponent === "lobby";

/** Only an installed app has an icon for a badge. */
const isInstalled = (): boolean =>
  typeof matchMedia === "function" && matchMedia("(display-mode: standalone)").matches;

export function showWaiting(count: number): void {
  waiting = count;
  if (isInstalled()) {
    const change = count ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
    change?.catch(() => undefined);
  }
  markTitle();
  observer ??= watchTitle();
}

function markTitle(): void {
  const plain = document.title.replace(PREFIX, "");
  const wanted = waiting ? `(${waiting}) ${plain}` : plain;
  if (document.title !== wanted) document.title = wanted;
}

/** Pages set their own titles; mark each new one. */
function watchTitle(): MutationObserver {
  const watching = new MutationObserver(markTitle);
  watching.observe(document.head, { childList: true, subtree: true, characterData: true });
  return watching;
}
