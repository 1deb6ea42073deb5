/** The Back button of the browser closes what is open above a page, the uppermost first, before it leaves the page. */

/** The state of an entry of the browser's history that stands for something open above its page. */
interface Overlaid {
  overlays: number;
}

/** how to close what is open, the uppermost last */
const open: (() => void)[] = [];
/** how many entries are being left because something was closed in another way */
let leaving = 0;

const depth = (): number => (history.state as Overlaid | null)?.overlays ?? 0;

/** Whether Back would only close something. */
export const isOverlaid = (): boolean => depth() > 0;

function addEntry(): void {
  if (!leaving && depth() < open.length) history.pushState({ overlays: open.length } satisfies Overlaid, "");
}

addEventListener("popstate", () => {
  if (leaving) {
    leaving -= 1;
    addEntry(); // something was opened meanwhile
  } else for (const close of open.splice(depth()).reverse()) close();
});

/** While `isOpen`, Back calls `close`; call it once while a component is made. */
export function closeOnBack(isOpen: () => boolean, close: () => void): void {
  $effect(() => {
    if (!isOpen()) return;
    open.push(close);
    addEntry();
    return () => {
      const at = open.indexOf(close);
      if (at >= 0) open.splice(at, 1);
      if (depth() - leaving <= open.length) return;
      leaving += 1;
      history.back();
    };
  });
}
