import { useNavigation, useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";

/**
 * Reads the page's data again every `everyMs` milliseconds, and as the page comes back into view; never
 * while it is hidden, its browser offline, or a form under way. Null: not at all.
 */
export function useQuietRefresh(everyMs: number | null): void {
  const { revalidate } = useRevalidator();
  const { state } = useNavigation();
  const busy = useRef(false);
  busy.current = state !== "idle";

  useEffect(() => {
    if (everyMs === null) return;
    let missed = false;
    const tick = () => {
      missed = document.hidden || busy.current || !navigator.onLine;
      if (!missed) revalidate();
    };
    const shown = () => {
      if (!document.hidden && missed) tick();
    };
    const timer = setInterval(tick, everyMs);
    document.addEventListener("visibilitychange", shown);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", shown);
    };
  }, [everyMs, revalidate]);
}
