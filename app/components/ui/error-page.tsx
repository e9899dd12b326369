import { isRouteErrorResponse, Link } from "@remix-run/react";
import { Page } from "./page.tsx";

type ErrorText = { title: string; lead: string };

const TEXTS: Record<number, ErrorText> = {
  400: { title: "That request cannot be read", lead: "Go back and try it once more." },
  403: {
    title: "That came from another site",
    lead: "A form of this service is only accepted from its own pages. Open the page here and send it again.",
  },
  404: {
    title: "Nothing stands here",
    lead: "The address is misspelt, or what it named belongs to another account or is gone.",
  },
  405: { title: "That cannot be done here", lead: "This page only shows something." },
  413: { title: "That was too long", lead: "Send less text: at most 16 KiB." },
  429: {
    title: "Too many requests from here",
    lead: "Wait a little, then load this page again. Nothing was lost.",
  },
  503: {
    title: "Deed can show, but not write, just now",
    lead: "The part that keeps records cannot be reached, so what was sent just now may not have been kept. Open claims stay open; look again in a minute.",
  },
};
const FAULT: ErrorText = {
  title: "Something failed on our side",
  lead: "It has been logged. Your claims and proofs are as they were; try again in a minute.",
};

const retryAfter = (data: unknown): number | null =>
  typeof data === "object" && data !== null && "retryAfter" in data
    ? Number(data.retryAfter) || null
    : null;

const statusOf = (error: unknown): number => (isRouteErrorResponse(error) ? error.status : 500);
const textOf = (error: unknown): ErrorText => TEXTS[statusOf(error)] ?? FAULT;

/** The tab title of an error page. */
export const errorTitle = (error: unknown): string => `${textOf(error).title} · Deed`;

/** The page for any error: what it means, and what to do. */
export function ErrorPage({ error }: { error: unknown }) {
  const { title, lead } = textOf(error);
  const seconds = isRouteErrorResponse(error) ? retryAfter(error.data) : null;
  return (
    <Page title={title} above={`Error ${statusOf(error)}`} lead={lead}>
      {seconds ? <p>It can be tried again in {seconds} seconds.</p> : null}
      <p className="row">
        <Link to="/" reloadDocument>
          To the start
        </Link>
        <Link to="/domains" reloadDocument>
          To your domains
        </Link>
      </p>
    </Page>
  );
}
