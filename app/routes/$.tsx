import { json } from "@remix-run/node";

const notFound = () => json({ code: "not_found", retryAfter: null }, { status: 404 });

/** Any other path: the error page, in the visitor's frame. */
export function loader() {
  throw notFound();
}

export function action() {
  throw notFound();
}

export default function NothingHere() {
  return null;
}
