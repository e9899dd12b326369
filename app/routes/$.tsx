import { json } from "@remix-run/node";

/** Any other path: the error page, in the visitor's frame. */
export function loader() {
  throw json({ code: "not_found", retryAfter: null }, { status: 404 });
}

export { loader as action };

export default function NothingHere() {
  return null;
}
