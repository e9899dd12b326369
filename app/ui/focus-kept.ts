import { useEffect, useRef } from "react";

/** If an update removed the focused element, focuses the heading of its section, or else the start of the page. */
export function useFocusKept(): void {
  const last = useRef<{ element: Element; section: Element | null } | null>(null);

  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      if (target instanceof Element)
        last.current = { element: target, section: target.closest("section, details") };
    };
    const forget = ({ target }: FocusEvent) => {
      // Some browsers report the focused element's removal as a loss of focus, when it is already gone.
      setTimeout(() => {
        if (last.current?.element === target && last.current?.element.isConnected)
          last.current = null;
      });
    };
    document.addEventListener("focusin", note);
    document.addEventListener("focusout", forget);
    return () => {
      document.removeEventListener("focusin", note);
      document.removeEventListener("focusout", forget);
    };
  }, []);

  useEffect(() => {
    if (!last.current || document.activeElement !== document.body) return;
    const { element, section } = last.current;
    if (element.isConnected) return;
    last.current = null;
    const heading = section?.isConnected ? section.querySelector<HTMLElement>("h2, summary") : null;
    const place = heading ?? document.getElementById("main");
    if (place?.tagName !== "SUMMARY") place?.setAttribute("tabindex", "-1");
    place?.focus({ preventScroll: heading === null });
  });
}
