import { useEffect } from "react";

/** The service counts ten minutes from each sign. */
const TELL_EVERY_MS = 60_000;

/** While an open claim's page is in view, tells the service that somebody waits. `path`: API path; null: tells nothing. */
export function useWaiting(path: string | null): void {
  useEffect(() => {
    if (path === null) return;
    const say = () => {
      if (document.hidden) return;
      // If this fails, the claim is read at the usual intervals.
      fetch(path, { method: "POST" }).catch(() => undefined);
    };
    say();
    const timer = setInterval(say, TELL_EVERY_MS);
    document.addEventListener("visibilitychange", say);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", say);
    };
  }, [path]);
}
