import type { LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { CodeForm } from "#app/features/sign-in/view/sign-in.tsx";
import { getApp } from "#app/http/app.server.ts";
import { pendingSignIn } from "#app/http/caller/cookies.server.ts";
import { Entry, Page } from "#app/ui/page.tsx";

/** Works without the cookie of the form before: then nobody knows the address here, and no code can be typed. */
export async function loader({ request }: LoaderFunctionArgs) {
  const asked = await pendingSignIn(getApp(), request);
  return { email: asked?.email ?? null };
}

export const meta = () => [{ title: "Check your mail · Deed" }];

export default function Sent() {
  const { email } = useLoaderData<typeof loader>();
  return (
    <Page
      title="Check your mail"
      lead={
        email === null ? (
          "If you asked for one, a link is on its way. Open it within 15 minutes."
        ) : (
          <>
            A link is on its way to <bdi>{email}</bdi>. Open it within 15 minutes.
          </>
        )
      }
    >
      {email === null ? (
        <Entry title="Allow cookies first">
          <p>
            Signing in needs cookies, and this browser refuses cookies or has lost the one Deed
            sent. Allow cookies for this site before you open the link, or open it in a browser that
            accepts them. The code in the mail does not work here.
          </p>
        </Entry>
      ) : (
        <Entry title="Or type the code">
          <p>
            Reading your mail on another device? Type the six digits from it here. The code works
            only in this browser; the link works in any.
          </p>
          <CodeForm email={email} />
        </Entry>
      )}
      <p>
        No mail? Check the spam folder, or <Link to="/sign-in">ask again</Link>.
      </p>
    </Page>
  );
}
