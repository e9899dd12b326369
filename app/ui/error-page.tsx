import { useContext } from "react";
import { isRouteErrorResponse, useLocation } from "#app/remix/react.ts";
import { endedSessionOf, ResendForm } from "./ended-session.tsx";
import { RequestIdContext, useHolder } from "./frame.tsx";
import { Page } from "./page.tsx";
import { durationText } from "./time.tsx";

type ErrorText = [title: string, lead: string];

const TEXTS: Record<number, ErrorText> = {
  400: ["Request not understood", "Go back and try again."],
  401: [
    "Your session has ended",
    "What you entered is kept here, and nothing was saved. Sign in, come back to this tab, and send it again.",
  ],
  403: [
    "This came from another site",
    "Deed accepts forms only from its own pages. Open the page here and send it again.",
  ],
  404: [
    "Page not found",
    "Check the address for a typo. The page may also be gone, or belong to another account.",
  ],
  405: ["This page does not accept forms", "Go back and try again."],
  413: ["Too much text", "Send at most 16 KiB."],
  429: ["Too many requests", "Deed limits how often this page can be used. Nothing was lost."],
  503: [
    "Deed cannot save anything right now",
    "Your last change may not have been saved. Your domains and proofs are safe. Try again in a minute.",
  ],
};
const FAULT: ErrorText = [
  "Something failed on our side",
  "It has been logged. Your domains and proofs are safe. Try again in a minute.",
];
const UNREACHABLE: ErrorText = [
  "No connection to Deed",
  "Your browser is offline, or cannot reach Deed. Check the connection, then reload this page.",
];

/** What fetch throws if no answer comes: "Failed to fetch", "NetworkError …", "Load failed". */
const isUnreachable = (error: unknown): boolean =>
  error instanceof TypeError && /fetch|network|load failed/i.test(error.message);

const statusOf = (error: unknown): number => (isRouteErrorResponse(error) ? error.status : 500);
const textOf = (error: unknown): ErrorText =>
  isUnreachable(error) ? UNREACHABLE : (TEXTS[statusOf(error)] ?? FAULT);

export const errorTitle = (error: unknown): string => `${textOf(error)[0]} · Deed`;

export function ErrorPage({ error }: { error: unknown }) {
  const [title, lead] = textOf(error);
  const ended = endedSessionOf(error);
  const requestId = useContext(RequestIdContext);
  const isVisitor = useHolder() === null;
  const status = statusOf(error);
  const { pathname, search } = useLocation();
  const seconds = isRouteErrorResponse(error) && Number(Object(error.data).retryAfter);
  const isToRepeat = status >= 429 && !(Number(seconds) > 60);
  const next = encodeURIComponent(pathname + search);
  const signIn = status === 404 && isVisitor && `/sign-in?next=${next}`;
  return (
    <Page
      title={title}
      above={ended || isUnreachable(error) ? undefined : `Error ${status}`}
      lead={seconds ? `${lead} Try again in ${durationText(seconds)}.` : lead}
    >
      {ended ? <ResendForm {...ended} /> : null}
      {requestId && status >= 500 ? (
        <p>
          If it fails again, give the operator this reference:{" "}
          <code className="address">{requestId}</code>
        </p>
      ) : null}
      <p className="row more">
        {isToRepeat ? (
          <a href={search || "?"} className={seconds ? "button" : "button primary"}>
            Try again
          </a>
        ) : null}{" "}
        {ended ? null : (
          <a
            href={signIn || (isVisitor ? "/" : "/domains")}
            className={isToRepeat ? "button" : "button primary"}
          >
            {signIn ? "Sign in" : isVisitor ? "Home" : "Your domains"}
          </a>
        )}{" "}
        {signIn ? <a href="/">Home</a> : null}
      </p>
    </Page>
  );
}
