import { useEffect } from "react";

/** The service takes somebody to wait for ten minutes after each call. */
const TELL_EVERY_MS = 60_000;

/** While an open claim's page is in view, tells the service that somebody waits. `path` is the API's; null tells nothing. */
export function useWaiting(path: string | null): void {
  useEffect(() => {
    if (path === null) return;
    const tell = () => {
      if (document.hidden) return;
      // If this fails, the claim is read at the usual intervals.
      fetch(path, { method: "POST" }).catch(() => undefined);
    };
    tell();
    const timer = setInterval(tell, TELL_EVERY_MS);
    document.addEventListener("visibilitychange", tell);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tell);
    };
  }, [path]);
}
