import { json } from "#app/remix/node.server.ts";

/** Any other path: the error page for visitors. */
export function loader() {
  throw json({ code: "not_found", retryAfter: null }, { status: 404 });
}

export { loader as action };

export default function NothingHere() {
  return null;
}
