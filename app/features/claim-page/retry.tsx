import { useEffect, useState } from "react";
import { durationText } from "#app/ui/time.tsx";
import type { TooSoon } from "./action-result.ts";

/** When a refused check may be asked for again. `now`: when the page was loaded. */
export function Retry({ retryAt, now }: TooSoon & { now: string }) {
  const waitMs = Math.max(0, Date.parse(retryAt) - Date.parse(now));
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    setIsOver(false);
    const timer = setTimeout(() => setIsOver(true), waitMs);
    return () => clearTimeout(timer);
  }, [waitMs]);
  return (
    <p role="status">
      {isOver
        ? "You can check again now."
        : `You can check again in ${durationText(waitMs / 1000)}.`}
    </p>
  );
}
