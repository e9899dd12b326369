import { redirect, type TypedResponse } from "@remix-run/node";

/**
 * Answers a form with its page, at an address of its own: some browsers (Dillo) keep a page by its address, and would
 * show the one from before the form was sent.
 */
export const redirectToSelf = (path: string): TypedResponse<never> =>
  redirect(`${path}?at=${Date.now().toString(36)}`, 303);
