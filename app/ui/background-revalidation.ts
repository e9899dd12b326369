import { useCallback, useEffect, useRef } from "react";
import { useActionData, useLocation, useNavigation, useRevalidator } from "#app/remix/react.ts";

/** How soon a page reloads if it waits for something optional, in milliseconds. */
export const SOON_MS = 2_000;
const DEBOUNCE_MS = 250;
/** Delay after a failed reload, doubled for each further failure; in milliseconds. */
const BACK_OFF_MS = 15_000;
const MAX_BACK_OFF_MS = 300_000;

/** A reload that the user did not ask for: its page's address, and what to call when it ends. */
type BackgroundReload = { address: string; fail: () => void; succeed: () => void };

/** The latest background reload; null after a navigation or reload by the user. */
let latestReload: BackgroundReload | null = null;

/** Shared by the whole page, whichever part asks for a reload. `notBefore`: epoch milliseconds. */
const state = { timer: 0, isPending: false, failures: 0, notBefore: 0 };

export const backgroundReload = (address: string): BackgroundReload | null =>
  latestReload?.address === address ? latestReload : null;

/** Returns a function that reloads the page's data unless the page is hidden or a form is sent, and backs off on failure. */
export function useBackgroundRevalidation(): () => void {
  const { revalidate } = useRevalidator();
  const isBusy = useNavigation().state !== "idle";
  const busyRef = useRef(isBusy);
  busyRef.current = isBusy;

  const reloadSoon = useCallback(() => {
    if (state.timer) return;
    const run = () => {
      state.timer = 0;
      state.isPending = document.hidden || busyRef.current;
      if (state.isPending) return;
      // Failed reloads in a row; a reload that another one replaces is neither a failure nor a success.
      const failures = state.failures;
      let hasFailed = false;
      latestReload = {
        address: window.location.href.replace(/#.*/, ""),
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
      if (state.isPending && !document.hidden) reloadSoon();
    };
    document.addEventListener("visibilitychange", resume);
    return () => {
      document.removeEventListener("visibilitychange", resume);
      window.clearTimeout(state.timer);
      state.timer = 0;
    };
  }, [reloadSoon]);
  return reloadSoon;
}

/** Reloads the page's data every `everyMs` milliseconds; null: never. Waits for a running reload, which another would abort. */
export function useTimedRevalidation(everyMs: number | null): void {
  const reloadSoon = useBackgroundRevalidation();
  const isIdle = useRevalidator().state === "idle";
  useEffect(() => {
    if (everyMs === null || !isIdle) return;
    const timer = setTimeout(reloadSoon, everyMs);
    return () => clearTimeout(timer);
  }, [everyMs, isIdle, reloadSoon]);
}

/** Like `useActionData`, but kept when the router drops it: during a background reload, or after a link within the page. */
export function useLastAnswer<Action>(): ReturnType<typeof useActionData<Action>> {
  const answer = useActionData<Action>();
  const { key, hash } = useLocation();
  const last = useRef({ key, answer });
  if (answer !== undefined || (last.current.key !== key && !hash)) last.current = { key, answer };
  return last.current.answer;
}
