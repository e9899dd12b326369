import {
  type ClientLoaderFunctionArgs,
  useMatches,
  useNavigation,
  useRevalidator,
} from "@remix-run/react";
import { useCallback, useEffect, useRef } from "react";

/** How soon a page reloads that waits for something it can do without, in milliseconds. */
export const SOON_MS = 2_000;
/** Requests within this time share one reload, in milliseconds. */
const DEBOUNCE_MS = 250;
/** Delay after a failed reload, doubled for each further failure; in milliseconds. */
const BACK_OFF_MS = 15_000;
const MAX_BACK_OFF_MS = 300_000;

/** A reload the user did not ask for: the page it is for, and the current data by route. */
type BackgroundReload = {
  address: string;
  routeData: ReadonlyMap<string, unknown>;
  fail: () => void;
  succeed: () => void;
};

/** The latest background reload; null after a navigation or reload by the user. */
let latestReload: BackgroundReload | null = null;

/** Of the page, whichever of its parts asks for a reload. `notBefore`: epoch milliseconds. */
const state = { timer: 0, isPending: false, failures: 0, notBefore: 0 };

/** Too many requests, a server error or no answer: no reason to replace the current page. */
const isTransient = (thrown: unknown): boolean =>
  !(thrown instanceof Response) || thrown.status === 429 || thrown.status >= 500;

/**
 * The `clientLoader` of a page that reloads in the background. Calls its loader, but keeps the current data if a
 * background reload fails temporarily.
 */
export const keepDataOnFailure =
  (routeId: string) =>
  async ({ request, serverLoader }: ClientLoaderFunctionArgs): Promise<unknown> => {
    const reload = latestReload;
    try {
      const data = await serverLoader();
      reload?.succeed();
      return data;
    } catch (thrown) {
      // A newer reload took its place, and brings the data.
      const isReplaced = request.signal.aborted;
      if (isReplaced || reload?.address !== request.url || !isTransient(thrown)) throw thrown;
      reload.fail();
      return reload.routeData.get(routeId);
    }
  };

const isInactive = () => document.hidden || !navigator.onLine;

/**
 * Returns a function that reloads the page's data in the background. It skips while the page is hidden, the browser is
 * offline or a form is being submitted, and backs off on failure.
 */
export function useBackgroundRevalidation(): () => void {
  const { revalidate } = useRevalidator();
  const isBusy = useNavigation().state !== "idle";
  const page = { isBusy, routeData: new Map(useMatches().map(({ id, data }) => [id, data])) };
  const latest = useRef(page);
  latest.current = page;

  const reloadSoon = useCallback(() => {
    if (state.timer) return;
    const run = () => {
      state.timer = 0;
      state.isPending = isInactive() || latest.current.isBusy;
      if (state.isPending) return;
      // Of the reloads before, unless one has succeeded; a reload that this one replaces has done neither.
      const failures = state.failures;
      let hasFailed = false;
      latestReload = {
        address: window.location.href.replace(/#.*/, ""),
        routeData: latest.current.routeData,
        fail: () => {
          if (hasFailed) return;
          hasFailed = true;
          state.failures = failures + 1;
          const backOff = Math.min(MAX_BACK_OFF_MS, BACK_OFF_MS * 2 ** failures);
          state.notBefore = Date.now() + backOff;
          reloadSoon();
        },
        succeed: () => {
          if (!hasFailed) state.failures = 0;
        },
      };
      revalidate();
    };
    state.timer = window.setTimeout(run, Math.max(DEBOUNCE_MS, state.notBefore - Date.now()));
  }, [revalidate]);

  useEffect(() => {
    if (isBusy) latestReload = null;
    else if (state.isPending) reloadSoon();
  }, [isBusy, reloadSoon]);

  useEffect(() => {
    const resume = () => {
      if (state.isPending && !isInactive()) reloadSoon();
    };
    document.addEventListener("visibilitychange", resume);
    window.addEventListener("online", resume);
    return () => {
      document.removeEventListener("visibilitychange", resume);
      window.removeEventListener("online", resume);
      window.clearTimeout(state.timer);
      state.timer = 0;
    };
  }, [reloadSoon]);
  return reloadSoon;
}

/**
 * Reloads the page's data in the background every `everyMs` milliseconds; null turns it off. Waits for a reload that is
 * under way, which another would cut off.
 */
export function useTimedRevalidation(everyMs: number | null): void {
  const reloadSoon = useBackgroundRevalidation();
  const isIdle = useRevalidator().state === "idle";
  useEffect(() => {
    if (everyMs === null || !isIdle) return;
    const timer = setTimeout(reloadSoon, everyMs);
    return () => clearTimeout(timer);
  }, [everyMs, isIdle, reloadSoon]);
}
