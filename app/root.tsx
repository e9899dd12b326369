import { type ReactNode, useContext, useEffect, useRef } from "react";
import { unreadNotices } from "#app/features/notices/notices.server.ts";
import { getApp } from "#app/http/app.server.ts";
import { isAdmin } from "#app/http/caller/admin.server.ts";
import { sessionOf } from "#app/http/caller/session.server.ts";
import type { HeadersFunction, LoaderFunctionArgs, MetaFunction } from "#app/remix/node.server.ts";
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useMatches,
  useRouteError,
} from "#app/remix/react.ts";
import { ErrorPage, errorTitle } from "#app/ui/error-page.tsx";
import { useFocusKept } from "#app/ui/focus-kept.ts";
import { Frame, NonceContext, useHolder } from "#app/ui/frame.tsx";
import { KeptPageNotice } from "#app/ui/kept-page.tsx";
import { useLive } from "#app/ui/live.ts";
import { type PageHandle, type PageHead, sendsScript } from "#app/ui/page.tsx";
import stylesheet from "./styles/deed.css";

export const links = () => [{ rel: "stylesheet", href: stylesheet }];

export const meta: MetaFunction = ({ error }) => [
  { title: error ? errorTitle(error) : "Prove that you control a domain · Deed" },
  { name: "description", content: "Dated proofs that people control their domains." },
];

/** Error pages keep the response headers set with the error. */
export const headers: HeadersFunction = ({ errorHeaders }) => {
  const keptHeaders = ["Retry-After", "Allow"].map((name) => [name, errorHeaders?.get(name) ?? ""]);
  return Object.fromEntries(keptHeaders.filter(([, value]) => value !== ""));
};

/** Pages for visitors (`handle.document`), which show nothing about an account. */
const DOCUMENTS = /^\/(?:[pw]\/[^/]+|h\/[^/]+(?:\/back)?|verify)$/;

export async function loader({ request }: LoaderFunctionArgs) {
  const isDocument = DOCUMENTS.test(new URL(request.url).pathname);
  const session = isDocument ? null : await sessionOf(request);
  if (!session) return { holder: null };
  const app = getApp();
  const unread = unreadNotices(app, session.accountId);
  const holder = { email: session.email, unread, isAdmin: isAdmin(session) };
  return { holder: holder.isAdmin ? { ...holder, version: app.settings.version } : holder };
}

/** The innermost route's handle, and the head from its loader's data. */
function usePage(): { handle: PageHandle; head: PageHead } {
  const match = useMatches().at(-1);
  const data = match?.data as { head?: PageHead } | undefined;
  return { handle: (match?.handle as PageHandle | undefined) ?? {}, head: data?.head ?? {} };
}

/** The document around every page, including error pages, which have no script. */
export function Layout({ children }: { children: ReactNode }) {
  const error = useRouteError();
  const isError = Boolean(error);
  const holderOfPage = useHolder();
  const holder = isRouteErrorResponse(error) && error.status === 401 ? null : holderOfPage;
  const nonce = useContext(NonceContext);
  const isTest = useMatches().at(-1)?.params.slug?.startsWith("test_");
  const { handle, head } = usePage();
  const hasScript = !isError && sendsScript(handle);
  const icon = !isError && head.icon ? `/favicon-${head.icon}.svg` : "/favicon.svg";
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <Meta />
        <link rel="icon" href={icon} type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <Links />
        {head.refreshSeconds && !isError ? (
          <noscript>
            <meta httpEquiv="refresh" content={String(head.refreshSeconds)} />
          </noscript>
        ) : null}
      </head>
      <body>
        {isTest ? (
          <aside className="unreached test">
            TEST. This page belongs to test mode and proves nothing.
          </aside>
        ) : null}
        <Frame holder={holder} document={handle.document === true}>
          {children}
        </Frame>
        {hasScript ? (
          <>
            <ScrollRestoration nonce={nonce} />
            <Scripts nonce={nonce} />
          </>
        ) : null}
      </body>
    </html>
  );
}

/** After a navigation, focuses the start of the page, as browsers do without script. */
function useFocusOnMove(): void {
  const { pathname } = useLocation();
  const previousPath = useRef(pathname);
  useEffect(() => {
    if (previousPath.current === pathname) return;
    previousPath.current = pathname;
    if (document.activeElement?.getAttribute("aria-invalid") === "true") return;
    document.getElementById("main")?.focus({ preventScroll: true });
  }, [pathname]);
}

/** What a page with script has besides its route. */
function Scripted() {
  const holder = useHolder();
  useFocusOnMove();
  useFocusKept();
  const { handle, head } = usePage();
  useLive(handle.live === true && Boolean(holder), head.follows);
  return <KeptPageNotice />;
}

export default function App() {
  return (
    <>
      <Scripted />
      <Outlet />
    </>
  );
}

export function ErrorBoundary() {
  return <ErrorPage error={useRouteError()} />;
}
