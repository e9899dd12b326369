import { useParams } from "@remix-run/react";
import { useEffect } from "react";
import { useBackgroundRevalidation } from "./background-revalidation.ts";

/** How often a page is read again where the account's stream cannot be had, in milliseconds. */
const QUIET_REFRESH_MS = 30_000;

/** Whether a message of the account's stream concerns the page of `id`; a page without one shows all. */
function concerns(data: string, id: string | undefined): boolean {
  if (!id) return true;
  try {
    return Object.values(JSON.parse(data)).includes(id);
  } catch {
    return false;
  }
}

/**
 * Reads the page's data again when the account's stream begins and when it says that they moved, or
 * quietly from time to time where there is no stream.
 */
export function useLive(on: boolean): void {
  const { id } = useParams();
  const ask = useBackgroundRevalidation();
  useEffect(() => {
    if (!on) return;
    const stream = new EventSource("/api/events");
    // The stream says nothing of what moved between the page's data and its own beginning.
    stream.onopen = ask;
    stream.onmessage = (message) => {
      if (concerns(message.data, id)) ask();
    };
    const fallback = setInterval(() => {
      if (stream.readyState !== EventSource.OPEN) ask();
    }, QUIET_REFRESH_MS);
    return () => {
      stream.close();
      clearInterval(fallback);
    };
  }, [on, id, ask]);
}
