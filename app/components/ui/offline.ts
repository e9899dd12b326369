import type { ClientActionFunctionArgs, ShouldRevalidateFunction } from "@remix-run/react";

/** The answer to a form that could not be sent. */
export type Unsent = { isUnsent: true; problem: { message: string } };

const OFFLINE = "Your browser is offline. Nothing was sent: try again once you are connected.";
const UNREACHABLE =
  "Deed could not be reached. Nothing changed on this page: try again in a moment.";

/** The `clientAction` of a page that stays as it is when its form cannot be sent, and says so. */
export async function keepPageUnsent({ serverAction }: ClientActionFunctionArgs): Promise<unknown> {
  try {
    return await serverAction();
  } catch (thrown) {
    // What `fetch` throws where no answer came; an answer is thrown as itself.
    if (!(thrown instanceof TypeError)) throw thrown;
    const message = navigator.onLine ? UNREACHABLE : OFFLINE;
    return { isUnsent: true, problem: { message } } satisfies Unsent;
  }
}

/** The `shouldRevalidate` of such a page and of the root: there is nothing to load without a connection. */
export const unlessUnsent: ShouldRevalidateFunction = ({ actionResult, defaultShouldRevalidate }) =>
  !(actionResult as Partial<Unsent> | undefined)?.isUnsent && defaultShouldRevalidate;
