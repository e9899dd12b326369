import { useEffect, useState } from "react";
import { currentNavigation, useMatches, useNavigate, useNavigation } from "#app/remix/react.ts";
import { backgroundReload } from "./background-revalidation.ts";

/** `stay` aborts a navigation away; while `isStaying`, the router loads the page again, which needs no request. */
type KeptPage = {
  address: string;
  routeData: ReadonlyMap<string, unknown>;
  setUnreached: (isUnreached: boolean) => void;
  stay: () => void;
  isStaying: boolean;
};

/** Null on an error page, which has nothing to keep. */
let page: KeptPage | null = null;

const hasTypedText = (): boolean =>
  [...document.querySelectorAll<HTMLInputElement>("input, textarea")].some((field) =>
    ["checkbox", "radio"].includes(field.type)
      ? field.checked !== field.defaultChecked
      : field.value !== field.defaultValue,
  );

/** Where the navigation under way leads, if a document can replace it; null for a posted form. */
function destination(): string | null {
  const { location, formMethod } = currentNavigation() ?? {};
  return location && formMethod !== "POST" ? location.pathname + location.search : null;
}

const isTransient = ({ status }: Response): boolean => status === 429 || status >= 500;

function dataAddress(address: string, routeId: string): string {
  const url = new URL(address);
  url.searchParams.set("_data", routeId);
  return url.href;
}

/** Remix's `fetch`; but if no answer comes, the page stays, with the typed text, and says so. */
export const keepPage =
  (send: typeof fetch): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    const routeId = new URL(request.url).searchParams.get("_data");
    const keptPage = page;
    if (keptPage === null || routeId === null) return send(request);
    const isOwnData =
      request.method === "GET" && request.url === dataAddress(keptPage.address, routeId);
    const current = () =>
      Response.json(keptPage.routeData.get(routeId), { headers: { "X-Remix-Response": "yes" } });
    if (isOwnData && keptPage.isStaying) return current();
    const reload = isOwnData ? backgroundReload(keptPage.address) : null;
    const answered = send(request).then(async (answer) => {
      // A service may end between the head of its answer and the end.
      await answer.clone().arrayBuffer();
      return answer;
    });
    const response = await answered.catch((error) => {
      // Another request replaced this one.
      if (request.signal.aborted) throw error;
      return null;
    });
    keptPage.setUnreached(response === null);
    // Do not leave typed text for the sign-in page; sending it will say that the session has ended, and keep it.
    const isBackground = request.method === "GET" && destination() === null;
    const isEnded = response?.headers.get("X-Remix-Redirect")?.includes("/sign-in?") ?? false;
    if (isBackground && isEnded && hasTypedText()) {
      reload?.fail();
      return current();
    }
    if (response && !(reload && isTransient(response))) {
      reload?.succeed();
      return response;
    }
    reload?.fail();
    if (isOwnData) return current();
    keptPage.stay();
    return new Promise(() => {});
  };

/** From the Navigation API, which TypeScript does not know yet. */
type NavigateEvent = Event & { navigationType: string; userInitiated: boolean };

/** If the next page's script does not arrive, Remix reloads the document, and typed text would be lost. */
export function keepDocument(): void {
  const { navigation } = window as { navigation?: EventTarget };
  navigation?.addEventListener("navigate", async (event) => {
    const { navigationType, userInitiated } = event as NavigateEvent;
    const kept = page;
    const next = destination();
    if (navigationType !== "reload" || userInitiated || (kept ?? next) === null) return;
    event.preventDefault();
    try {
      if (kept) await fetch("/api/health/live");
      page = null;
      if (next === null) window.location.reload();
      else window.location.assign(next);
    } catch {
      kept?.setUnreached(true);
      kept?.stay();
    }
  });
}

/** Call this after a connection was made without `fetch`. */
export const noteOnline = (): void => page?.setUnreached(false);

export function KeptPageNotice() {
  const [isUnreached, setUnreached] = useState(false);
  const { state } = useNavigation();
  const matches = useMatches();
  const navigate = useNavigate();
  useEffect(() => {
    if (state !== "idle") return;
    const { href, origin } = window.location;
    page = {
      address: href.replace(/#.*/, ""),
      routeData: new Map(matches.map(({ id, data }) => [id, data])),
      setUnreached,
      stay: () => {
        if (page) page.isStaying = true;
        // After "Back" the address has already changed, and its history entry stays.
        const replace = window.location.href === href;
        navigate(href.slice(origin.length), { replace, preventScrollReset: true });
      },
      isStaying: false,
    };
  });
  useEffect(
    () => () => {
      page = null;
    },
    [],
  );
  return isUnreached ? (
    <p role="alert" className="unreached">
      Deed cannot be reached. This page keeps what you typed; try again in a moment.
    </p>
  ) : null;
}
