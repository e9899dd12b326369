import { useEffect, useState } from "react";

/** Whether following a link leaves the page, and so needs the network. */
const leavesPage = (link: HTMLAnchorElement): boolean =>
  link.target !== "_blank" &&
  link.href.replace(/#.*/, "") !== window.location.href.replace(/#.*/, "");

/**
 * Says that the browser is offline, and until it is back keeps the page, with what was typed, from being replaced by a
 * form or link that cannot work.
 */
export function OfflineNotice() {
  const [isOffline, setIsOffline] = useState(false);
  useEffect(() => {
    const update = () => setIsOffline(!navigator.onLine);
    const keepPage = (event: Event) => {
      update();
      if (navigator.onLine) return;
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (event.type === "click" && !(link && leavesPage(link))) return;
      event.preventDefault();
      event.stopPropagation();
    };
    update();
    window.addEventListener("online", update);
    window.addEventListener("offline", update);
    document.addEventListener("submit", keepPage, true);
    document.addEventListener("click", keepPage, true);
    return () => {
      window.removeEventListener("online", update);
      window.removeEventListener("offline", update);
      document.removeEventListener("submit", keepPage, true);
      document.removeEventListener("click", keepPage, true);
    };
  }, []);
  return isOffline ? (
    <p role="alert" className="offline">
      Your browser is offline. This page stays as it is; try again when you are back online.
    </p>
  ) : null;
}
