import type { ServerResponse } from "node:http";
import { DeedError } from "#app/core/errors.server.ts";
import { sendError } from "#app/http/errors.server.ts";
import { REFUSAL_HEADER } from "./forward.server.ts";

/** Refuses a client that claims to be a node of this cluster without knowing its secret. */
export function refuseForwarded(response: ServerResponse): void {
  const error = new DeedError("invalid_request", {
    message: "This node does not accept forwarded requests from you.",
  });
  response.setHeader(REFUSAL_HEADER, "secret");
  sendError(response, error, "text/plain", `${error.message}\n`);
}
