import { useEffect } from "react";
import { useParams } from "#app/remix/react.ts";
import { useBackgroundRevalidation } from "./background-revalidation.ts";
import { noteOnline } from "./kept-page.tsx";

/** How often a page reloads while the account's stream is unavailable, in milliseconds. */
const FALLBACK_REFRESH_MS = 30_000;

/** Whether a message of the account's stream concerns the page's `id` or what it follows; without an `id`, all do. */
function concerns(data: string, id: string | undefined, follows: string | undefined): boolean {
  if (!id) return true;
  try {
    return Object.values(JSON.parse(data)).some((changed) => changed === id || changed === follows);
  } catch {
    return false;
  }
}

/** Reloads the page's data when the account's stream opens or reports a change; without a stream, at intervals. */
export function useLive(isOn: boolean, follows: string | undefined): void {
  const { id } = useParams();
  const reloadSoon = useBackgroundRevalidation();
  useEffect(() => {
    if (!isOn) return;
    const stream = new EventSource("/api/events");
    let isOpen = false;
    // The stream misses changes between the page's load and its own start. This also handles its `reset`.
    stream.onopen = () => {
      isOpen = true;
      noteOnline();
      reloadSoon();
    };
    // A reload finds out whether Deed still answers.
    stream.onerror = () => {
      if (isOpen) reloadSoon();
      isOpen = false;
    };
    stream.onmessage = (message) => {
      if (concerns(message.data, id, follows)) reloadSoon();
    };
    const fallback = setInterval(() => {
      if (!isOpen) reloadSoon();
    }, FALLBACK_REFRESH_MS);
    return () => {
      stream.close();
      clearInterval(fallback);
    };
  }, [isOn, id, follows, reloadSoon]);
}
