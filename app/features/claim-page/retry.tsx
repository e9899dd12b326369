import { Ticking } from "#app/ui/time.tsx";
import type { TooSoon } from "./action-result.ts";

export const Retry = ({ retryAt, now }: TooSoon & { now: string }) => (
  <>
    You can check again <Ticking at={retryAt} servedAt={now} over="now" />.
  </>
);
