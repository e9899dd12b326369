import { json } from "@remix-run/node";

const nothing = () => json({ code: "not_found", retryAfter: null }, { status: 404 });

/** Any other path: the error page, in the visitor's frame. */
export function loader() {
  throw nothing();
}

export function action() {
  throw nothing();
}

export default function NothingHere() {
  return null;
}
