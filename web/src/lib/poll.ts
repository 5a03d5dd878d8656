// Asks again and again, but only while someone looks.
import { untrack } from "svelte";

/** Calls `ask` now and every `ms`, while the page is visible. Returns a function that ends this. */
export function whileVisible(ms: number, ask: () => void): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  function look(): void {
    clearInterval(timer);
    if (document.hidden) return;
    untrack(ask);  // an effect that begins this does not depend on what it reads
    timer = setInterval(ask, ms);
  }
  look();
  document.addEventListener("visibilitychange", look);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", look);
  };
}
