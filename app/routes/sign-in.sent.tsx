import { publicAction, type RouteArgs } from "#app/api/page.server.ts";
import { authEndpoints, pathAfterSignIn } from "#app/features/sign-in/api.server.ts";
import { linkState } from "#app/features/sign-in/magic-link.server.ts";
import { CodeForm } from "#app/features/sign-in/view/sign-in.tsx";
import { getApp } from "#app/http/app.server.ts";
import { pendingSignIn } from "#app/http/caller/cookies.server.ts";
import { sessionOf } from "#app/http/caller/session.server.ts";
import { Link, useLoaderData } from "#app/remix/react.ts";
import { useLastAnswer, useTimedRevalidation } from "#app/ui/background-revalidation.ts";
import { Entry, Page, type PageHandle } from "#app/ui/page.tsx";

const RELOAD_EVERY_MS = 5_000;

/** With script, the page sees when the link was used, and keeps the typed text. */
export const handle: PageHandle = { script: true };

/** Works without the form's cookie, but then the address is unknown here, and no code can be typed. */
export async function loader({ request }: RouteArgs) {
  const app = getApp();
  const pending = await pendingSignIn(app, request);
  if (!pending) return { email: null, usedFor: null, isAwaited: false, isSignedIn: false };
  const { usedFor, isAwaited } = linkState(app, pending);
  const isSignedIn = usedFor !== null && (await sessionOf(request)) !== null;
  return { email: pending.email, usedFor, isAwaited, isSignedIn };
}

export const action = (args: RouteArgs) =>
  publicAction(
    args,
    async ({ app, field, call }) => {
      const body = { email: field("email"), code: field("code") };
      return pathAfterSignIn(app, (await call(authEndpoints.verifyMagicLink, { body })).body);
    },
    ({ problem }, form) => {
      if (problem.code !== "invalid_sign_in")
        return { code: form?.get("code") ?? "", error: problem.message };
      const error =
        "This code is wrong or no longer works. Use the one in the latest email you asked for in this browser, or ask for a new one.";
      return { code: "", error };
    },
  );

export const meta = () => [{ title: "Check your email · Deed" }];

export default function Sent() {
  const { email, usedFor, isAwaited, isSignedIn } = useLoaderData<typeof loader>();
  const refusal = useLastAnswer<typeof action>();
  useTimedRevalidation(isAwaited ? RELOAD_EVERY_MS : null);
  if (usedFor !== null)
    return (
      <Page
        title="The link was used"
        lead={
          isSignedIn
            ? "You are signed in in this browser."
            : "The link was used in another browser. If that was you, you can close this tab."
        }
      >
        <p>
          {isSignedIn ? <a href={usedFor}>Continue</a> : <a href="/sign-in">Sign in here too</a>}
        </p>
      </Page>
    );
  return (
    <Page
      title="Check your email"
      lead={
        email === null ? (
          "If you asked for one, a link is on its way. Open it within 15 minutes."
        ) : (
          <>
            A link and a code are on their way to <bdi>{email}</bdi>. Use one within 15 minutes.
          </>
        )
      }
    >
      {email === null ? (
        <Entry title="Allow cookies first">
          <p>
            Signing in needs cookies, and this browser refuses cookies or has lost the one Deed
            sent. Allow cookies for this site before you open the link, or open it in a browser that
            accepts them. The code in the email does not work here.
          </p>
        </Entry>
      ) : (
        <div className="after">
          <CodeForm email={email} {...refusal} />
        </div>
      )}
      <p>
        No email? Check the spam folder, or <Link to="/sign-in">ask again</Link>.
      </p>
    </Page>
  );
}
