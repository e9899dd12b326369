import { useEffect, useState } from "react";
import { useLocation } from "#app/remix/react.ts";
import { useBackgroundRevalidation } from "#app/ui/background-revalidation.ts";

type Query = { name: string; type: string; value: string };

async function follow(record: Query, signal: AbortSignal, onNews: () => void): Promise<void> {
  const response = await fetch("/api/checks", {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
    body: JSON.stringify(record),
    signal,
  });
  const reader = response.ok ? response.body?.getReader() : undefined;
  const decoder = new TextDecoder();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
    if (decoder.decode(part.value, { stream: true }).includes("data:")) onNews();
}

/** While the page is open, makes the service keep reading, and loads the page's data again after each change. */
export function useFollow(record: Query | null): boolean {
  const reloadSoon = useBackgroundRevalidation();
  const { key } = useLocation();
  const [isLooking, setIsLooking] = useState(false);
  const recordJson = record && JSON.stringify(record);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another press starts again
  useEffect(() => {
    if (recordJson === null) return;
    const stop = new AbortController();
    const setLookingUnlessLeft = (isNowLooking: boolean) => {
      if (!stop.signal.aborted) setIsLooking(isNowLooking);
    };
    setLookingUnlessLeft(true);
    follow(JSON.parse(recordJson), stop.signal, reloadSoon)
      .catch(() => {})
      .finally(() => setLookingUnlessLeft(false));
    return () => stop.abort();
  }, [recordJson, key, reloadSoon]);
  return isLooking && record !== null;
}
