import { useNavigation, useParams, useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";

/** How often a page is read again where the account's stream cannot be had, in milliseconds. */
const QUIET_REFRESH_MS = 30_000;
/** Messages this close together make one reading, in milliseconds. */
const GATHER_MS = 250;

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
 * Reads the page's data again when the account's stream says that it moved, or quietly from time to
 * time where there is no stream. Nothing is read while the page is hidden or a form is under way.
 */
export function useLive(on: boolean): void {
  const { id } = useParams();
  const { revalidate } = useRevalidator();
  const { state } = useNavigation();
  const busy = useRef(false);
  busy.current = state !== "idle";

  useEffect(() => {
    if (!on) return;
    let gathering: ReturnType<typeof setTimeout> | undefined;
    let missed = false;
    const read = () => {
      gathering = undefined;
      if (document.hidden || busy.current) missed = true;
      else revalidate();
    };
    const soon = () => {
      gathering ??= setTimeout(read, GATHER_MS);
    };
    const shown = () => {
      if (document.hidden || !missed) return;
      missed = false;
      soon();
    };
    const stream = new EventSource("/api/events");
    stream.onmessage = (message) => {
      if (concerns(message.data, id)) soon();
    };
    const fallback = setInterval(() => {
      if (stream.readyState !== EventSource.OPEN || missed) soon();
    }, QUIET_REFRESH_MS);
    document.addEventListener("visibilitychange", shown);
    return () => {
      stream.close();
      clearInterval(fallback);
      clearTimeout(gathering);
      document.removeEventListener("visibilitychange", shown);
    };
  }, [on, id, revalidate]);
}
