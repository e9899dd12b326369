import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { dispatch } from "#app/api/dispatch.server.ts";

/** Every call under /api, whatever its path: app/http/handover.server.ts says why it is this one. */
export const loader = ({ request }: LoaderFunctionArgs) => dispatch(request);
export const action = ({ request }: ActionFunctionArgs) => dispatch(request);
