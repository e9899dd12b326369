import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { dispatch } from "#app/api/dispatch.server.ts";

/** Every call under /api. */
export const loader = ({ request }: LoaderFunctionArgs) => dispatch(request);
export const action = ({ request }: ActionFunctionArgs) => dispatch(request);
