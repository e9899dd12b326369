import { useEffect, useRef } from "react";

/** If an update removed the focused element, focuses the heading of its section, or else the start of the page. */
export function useFocusKept(): void {
  const lastFocus = useRef<{ element: Element; section: Element | null } | null>(null);

  useEffect(() => {
    const noteFocus = ({ target }: FocusEvent) => {
      if (target instanceof Element)
        lastFocus.current = { element: target, section: target.closest("section, details") };
    };
    const forgetFocus = ({ target }: FocusEvent) => {
      // Some browsers report the focused element's removal as a loss of focus, when it is already gone.
      setTimeout(() => {
        if (lastFocus.current?.element === target && lastFocus.current?.element.isConnected)
          lastFocus.current = null;
      });
    };
    document.addEventListener("focusin", noteFocus);
    document.addEventListener("focusout", forgetFocus);
    return () => {
      document.removeEventListener("focusin", noteFocus);
      document.removeEventListener("focusout", forgetFocus);
    };
  }, []);

  useEffect(() => {
    if (!lastFocus.current || document.activeElement !== document.body) return;
    const { element, section } = lastFocus.current;
    if (element.isConnected) return;
    lastFocus.current = null;
    const heading = section?.isConnected ? section.querySelector<HTMLElement>("h2, summary") : null;
    const target = heading ?? document.getElementById("main");
    if (target?.tagName !== "SUMMARY") target?.setAttribute("tabindex", "-1");
    target?.focus({ preventScroll: heading === null });
  });
}
