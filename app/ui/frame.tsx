import { createContext, type ReactNode } from "react";
import { Form, Link, NavLink, useRouteError, useRouteLoaderData } from "#app/remix/react.ts";

/** `version`: of this installation, for administrators. */
export type Holder = { email: string; unread: number; isAdmin: boolean; version?: string };

/** The account signed in on this browser; null for visitors, undefined on an error page that could not find out. */
export const useHolder = (): Holder | null | undefined =>
  useRouteLoaderData<{ holder: Holder | null }>("root")?.holder;

/** The nonce of this response's Content-Security-Policy; undefined without a nonce, and in the browser. */
export const NonceContext = createContext<string | undefined>(undefined);

/** This request's id, as in the log; empty in the browser. */
export const RequestIdContext = createContext("");

export const Seal = ({ isBroken = false }) => (
  <svg
    className="seal"
    viewBox="0 0 32 32"
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    aria-hidden="true"
  >
    <circle cx="16" cy="16" r="14" />
    <circle cx="16" cy="16" r="10.5" strokeWidth="0.9" />
    {isBroken ? null : <path d="M10.5 16.6 14.3 21 21.8 11.4" strokeWidth="2.6" />}
  </svg>
);

/** An error page is part of no section, wherever its address leads. */
function Item({ to, children }: { to: string; children: ReactNode }) {
  const To = useRouteError() ? Link : NavLink;
  return (
    <li>
      <To to={to}>{children}</To>
    </li>
  );
}

const Navigation = ({ holder }: { holder: Holder | null | undefined }) => (
  <nav aria-label="Main" className="nav">
    <ul className="plain">
      {holder ? (
        <>
          <Item to="/domains">Domains</Item>
          <Item to="/notices">
            Notices
            {holder.unread > 0 ? (
              <>
                {" "}
                <span className="count">{holder.unread > 99 ? "99+" : holder.unread}</span>
                <span className="unseen"> unread</span>
              </>
            ) : null}
          </Item>
          <Item to="/account">Account</Item>
          {holder.isAdmin ? <Item to="/admin">Admin</Item> : null}
        </>
      ) : null}
      {holder === null ? <Item to="/sign-in">Sign in</Item> : null}
      <Item to="/docs">Docs</Item>
    </ul>
  </nav>
);

type FrameProps = { holder: Holder | null | undefined; document: boolean; children: ReactNode };

/** `holder`: null for visitors; if undefined, shows neither sign-in nor sign-out. A document's links load a new page. */
export const Frame = ({ holder, document, children }: FrameProps) => (
  <>
    <div>
      <a href="#main" className="skip">
        Skip to the content
      </a>
    </div>
    <header className="masthead wide row apart">
      <Link to="/" reloadDocument={document} className="wordmark">
        <Seal />
        Deed
      </Link>
      {document ? null : <Navigation holder={holder} />}
    </header>
    {children}
    <footer className="colophon">
      <div className="wide row apart">
        <span>Deed {holder?.version}</span>{" "}
        {holder && !document ? (
          <Form method="post" action="/sign-out" className="row">
            <bdi>{holder.email}</bdi>{" "}
            <button type="submit" className="linkish">
              Sign out
            </button>
          </Form>
        ) : (
          <Link to="/docs" reloadDocument={document}>
            Docs
          </Link>
        )}
      </div>
    </footer>
  </>
);
