import { useActionData, useLocation } from "@remix-run/react";
import { useRef } from "react";

/**
 * The answer to the page's last form, as `useActionData` gives it, but kept while the page reloads in the background,
 * when the router drops it.
 */
export function useLastAnswer<Action>(): ReturnType<typeof useActionData<Action>> {
  const answer = useActionData<Action>();
  const { key } = useLocation();
  const last = useRef({ key, answer });
  if (answer !== undefined || last.current.key !== key) last.current = { key, answer };
  return last.current.answer;
}
