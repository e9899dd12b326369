import { dispatch } from "#app/api/dispatch.server.ts";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "#app/remix/node.server.ts";

export const loader = ({ request }: LoaderFunctionArgs) => dispatch(request);
export const action = ({ request }: ActionFunctionArgs) => dispatch(request);
