import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { dispatch } from "#app/api/dispatch.server.ts";

/** Every call under /api. One splat: Remix ranks all routes anew on every request. */
export const loader = ({ request }: LoaderFunctionArgs) => dispatch(request);
export const action = ({ request }: ActionFunctionArgs) => dispatch(request);
