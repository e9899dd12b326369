import type { LoaderFunctionArgs } from "@remix-run/node";
import { checkHandoff } from "#app/api/check-handoff.server.ts";
import { comeBack } from "#app/auth/connect-trip.server.ts";
import { getApp } from "#app/http/app.server.ts";
import { connectionOf } from "#app/http/connection.server.ts";

/** Where a DNS provider sends the visitor of a hand-off back to (draft-ietf-dconn-domainconnect). */
export const loader = ({ request, params: { slug = "" } }: LoaderFunctionArgs) =>
  comeBack(getApp(), request, () => checkHandoff(connectionOf(request), slug));
