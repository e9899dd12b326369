import { isRouteErrorResponse, Link } from "@remix-run/react";
import { Page } from "./page.tsx";

type ErrorText = { title: string; lead: string };

const TEXTS: Record<number, ErrorText> = {
  400: { title: "Request not understood", lead: "Go back and try again." },
  403: {
    title: "This came from another site",
    lead: "Deed accepts forms only from its own pages. Open the page here and send it again.",
  },
  404: {
    title: "Page not found",
    lead: "Check the address for a typo. The page may also be gone, or belong to another account.",
  },
  405: { title: "This page takes no forms", lead: "Go back and try again." },
  413: { title: "Too much text", lead: "Send at most 16 KiB." },
  429: {
    title: "Too many requests",
    lead: "Wait a little, then reload this page. Nothing was lost.",
  },
  503: {
    title: "Deed cannot save anything right now",
    lead: "Your last change may not have been saved. Your domains and proofs are safe. Try again in a minute.",
  },
};
const FAULT: ErrorText = {
  title: "Something failed on our side",
  lead: "It has been logged. Your domains and proofs are safe. Try again in a minute.",
};
const UNREACHABLE: ErrorText = {
  title: "No connection to Deed",
  lead: "Your browser is offline, or cannot reach Deed. Check the connection, then reload this page.",
};

/** What fetch throws in a browser that gets no answer: "Failed to fetch", "NetworkError …", "Load failed". */
const isUnreachable = (error: unknown): boolean =>
  error instanceof TypeError && /fetch|network|load failed/i.test(error.message);

const retryAfter = (data: unknown): number | null =>
  typeof data === "object" && data !== null && "retryAfter" in data
    ? Number(data.retryAfter) || null
    : null;

const statusOf = (error: unknown): number => (isRouteErrorResponse(error) ? error.status : 500);
const textOf = (error: unknown): ErrorText =>
  isUnreachable(error) ? UNREACHABLE : (TEXTS[statusOf(error)] ?? FAULT);

/** The tab title of an error page. */
export const errorTitle = (error: unknown): string => `${textOf(error).title} · Deed`;

/** The page for any error: what it means, and what to do. */
export function ErrorPage({ error }: { error: unknown }) {
  const { title, lead } = textOf(error);
  const seconds = isRouteErrorResponse(error) ? retryAfter(error.data) : null;
  return (
    <Page
      title={title}
      above={isUnreachable(error) ? undefined : `Error ${statusOf(error)}`}
      lead={lead}
    >
      {seconds ? <p>Try again in {seconds} seconds.</p> : null}
      <p className="row">
        <Link to="/" reloadDocument>
          Home
        </Link>{" "}
        <Link to="/domains" reloadDocument>
          Your domains
        </Link>
      </p>
    </Page>
  );
}
