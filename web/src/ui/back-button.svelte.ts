/** The Back button of the browser closes what is open above a page, instead of leaving the page. */

interface Overlay {
  isOverlay: true;
}

const isOnOverlay = (): boolean => (history.state as Overlay | null)?.isOverlay === true;

/** While `isOpen`, Back calls `close`; call it once while a component is made. */
export function closeOnBack(isOpen: () => boolean, close: () => void): void {
  $effect(() => {
    if (!isOpen()) return;
    if (!isOnOverlay()) history.pushState({ isOverlay: true } satisfies Overlay, "");
    addEventListener("popstate", close);
    return () => {
      removeEventListener("popstate", close);
      if (isOnOverlay()) history.back();
    };
  });
}
