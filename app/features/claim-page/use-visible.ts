import { useEffect } from "react";

/** The service keeps reads fast for two. */
const TELL_EVERY_MS = 60_000;

/** Tells the service that the page of an open claim is in view, so that its reads stay fast. Null: tells nothing. */
export function useVisible(claimId: string | null): void {
  useEffect(() => {
    if (claimId === null) return;
    const tell = () => {
      if (document.hidden) return;
      const body = new URLSearchParams({ intent: "visible" });
      // Unheard, the claim is read at the intervals of its age.
      fetch(`/claims/${claimId}/visible`, { method: "POST", body }).catch(() => undefined);
    };
    tell();
    const timer = setInterval(tell, TELL_EVERY_MS);
    document.addEventListener("visibilitychange", tell);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tell);
    };
  }, [claimId]);
}
