import { Ticking } from "#app/ui/time.tsx";
import type { TooSoon } from "./action-result.ts";

/** When a refused check may be asked for again. `now`: when the page was loaded. */
export const Retry = ({ retryAt, now }: TooSoon & { now: string }) => (
  <p role="status">
    You can check again <Ticking at={retryAt} servedAt={now} over="now" />.
  </p>
);
