import type { LoaderFunctionArgs } from "@remix-run/node";
import { proofOf } from "../proofs.server.ts";

export function loader({ params }: LoaderFunctionArgs) {
  const proof = proofOf(params.slug ?? "");
  if (!proof) return new Response("no such proof", { status: 404 });
  const bytes = new TextEncoder().encode(JSON.stringify(proof));
  return new Response(bytes, {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": String(bytes.byteLength),
      "Cache-Control": "no-cache, no-transform",
    },
  });
}
