import {
  type ClientLoaderFunctionArgs,
  useMatches,
  useNavigation,
  useRevalidator,
} from "@remix-run/react";
import { useCallback, useEffect, useRef } from "react";

/** Requests within this time share one reload, in milliseconds. */
const GATHER_MS = 250;
/** Delay after a failed reload, doubled for each further failure; in milliseconds. */
const BACK_OFF_MS = 15_000;
const LONGEST_BACK_OFF_MS = 300_000;

/** A reload the user did not ask for: the page it is for, and the current data by route. */
type QuietReading = { address: string; standing: ReadonlyMap<string, unknown>; fail: () => void };

/** The latest background reload; null after a navigation or reload by the user. */
let newest: QuietReading | null = null;

/** Too many requests, a server error or no answer: no reason to replace the current page. */
const isPassing = (thrown: unknown): boolean =>
  !(thrown instanceof Response) || thrown.status === 429 || thrown.status >= 500;

/**
 * The `clientLoader` of a page that reloads in the background. Calls its loader, but keeps the current data if a
 * background reload fails temporarily.
 */
export const keepStanding =
  (routeId: string) =>
  async ({ request, serverLoader }: ClientLoaderFunctionArgs): Promise<unknown> => {
    const reading = newest;
    try {
      return await serverLoader();
    } catch (thrown) {
      if (reading?.address !== request.url || !isPassing(thrown)) throw thrown;
      reading.fail();
      return reading.standing.get(routeId);
    }
  };

const isUnheard = () => document.hidden || !navigator.onLine;

/**
 * Returns a function that reloads the page's data in the background. It skips while the page is hidden, the browser is
 * offline or a form is being submitted, and backs off on failure.
 */
export function useBackgroundRevalidation(): () => void {
  const { revalidate } = useRevalidator();
  const isBusy = useNavigation().state !== "idle";
  const page = { isBusy, standing: new Map(useMatches().map(({ id, data }) => [id, data])) };
  const latest = useRef(page);
  latest.current = page;
  const own = useRef({ timer: 0, isMissed: false, failures: 0, notBefore: 0 }).current;

  const ask = useCallback(() => {
    if (own.timer) return;
    const read = () => {
      own.timer = 0;
      own.isMissed = isUnheard() || latest.current.isBusy;
      if (own.isMissed) return;
      const before = own.failures;
      own.failures = 0;
      newest = {
        address: window.location.href.replace(/#.*/, ""),
        standing: latest.current.standing,
        fail: () => {
          if (own.failures > 0) return;
          own.failures = before + 1;
          const backOff = Math.min(LONGEST_BACK_OFF_MS, BACK_OFF_MS * 2 ** before);
          own.notBefore = Date.now() + backOff;
          ask();
        },
      };
      revalidate();
    };
    own.timer = window.setTimeout(read, Math.max(GATHER_MS, own.notBefore - Date.now()));
  }, [own, revalidate]);

  useEffect(() => {
    if (isBusy) newest = null;
    else if (own.isMissed) ask();
  }, [isBusy, own, ask]);

  useEffect(() => {
    const heard = () => {
      if (own.isMissed && !isUnheard()) ask();
    };
    document.addEventListener("visibilitychange", heard);
    window.addEventListener("online", heard);
    return () => {
      document.removeEventListener("visibilitychange", heard);
      window.removeEventListener("online", heard);
      window.clearTimeout(own.timer);
      own.timer = 0;
    };
  }, [own, ask]);
  return ask;
}

/** Reloads the page's data in the background every `everyMs` milliseconds; null turns it off. */
export function useTimedRevalidation(everyMs: number | null): void {
  const ask = useBackgroundRevalidation();
  useEffect(() => {
    if (everyMs === null) return;
    const timer = setInterval(ask, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, ask]);
}
