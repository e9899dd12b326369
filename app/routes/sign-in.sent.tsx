import { awaitedLink } from "#app/features/sign-in/magic-link.server.ts";
import { getApp } from "#app/http/app.server.ts";
import { pendingSignIn } from "#app/http/caller/cookies.server.ts";
import { sessionOf } from "#app/http/caller/session.server.ts";
import { type HeadersFunction, json, type LoaderFunctionArgs } from "#app/remix/node.server.ts";
import { Link, useLoaderData } from "#app/remix/react.ts";
import { Entry, Page } from "#app/ui/page.tsx";

const RELOAD_SECONDS = "5";

/** Works without the cookie of the form before: then nobody knows the address here, and no code can be typed. */
export async function loader({ request }: LoaderFunctionArgs) {
  const app = getApp();
  const asked = await pendingSignIn(app, request);
  if (!asked) return json({ email: null, usedFor: null, isSignedIn: false });
  const { usedFor, isAwaited } = awaitedLink(app, asked);
  const isSignedIn = usedFor !== null && (await sessionOf(request)) !== null;
  const headers: HeadersInit = isAwaited ? { Refresh: RELOAD_SECONDS } : {};
  return json({ email: asked.email, usedFor, isSignedIn }, { headers });
}

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta = () => [{ title: "Check your email · Deed" }];

export default function Sent() {
  const { email, usedFor, isSignedIn } = useLoaderData<typeof loader>();
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
          {isSignedIn ? <a href={usedFor}>Go on here</a> : <a href="/sign-in">Sign in here too</a>}
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
            A link is on its way to <bdi>{email}</bdi>. Open it within 15 minutes. This page notices
            when it was used.
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
        <Entry title="Or type the code">
          <p>
            Reading your email on another device? The six digits in its subject work only in this
            browser; the link works in any.
          </p>
          <p>
            <Link to="/sign-in/code" className="button">
              Type the code
            </Link>
          </p>
        </Entry>
      )}
      <p>
        No email? Check the spam folder, or <Link to="/sign-in">ask again</Link>.
      </p>
    </Page>
  );
}
