import { useEffect } from "react";

/** The service believes it for ten. */
const SAY_EVERY_MS = 60_000;

/** Says that somebody waits, while the page of an open claim is in view. `path`: of the API; null: says nothing. */
export function useWaiting(path: string | null): void {
  useEffect(() => {
    if (path === null) return;
    const say = () => {
      if (document.hidden) return;
      // Unheard, the claim is read at the intervals of its age.
      fetch(path, { method: "POST" }).catch(() => undefined);
    };
    say();
    const timer = setInterval(say, SAY_EVERY_MS);
    document.addEventListener("visibilitychange", say);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", say);
    };
  }, [path]);
}
