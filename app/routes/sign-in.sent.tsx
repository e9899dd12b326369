import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { pendingSignIn } from "#app/auth/sign-in-state.server.ts";
import { CodeForm, NoPendingSignIn } from "#app/components/account/sign-in.tsx";
import { Entry, Page } from "#app/components/ui/page.tsx";
import { getApp } from "#app/http/app.server.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const asked = await pendingSignIn(getApp(), request);
  return json({ email: asked?.email ?? null });
}

export const meta = () => [{ title: "Look at your mail · Deed" }];

export default function Sent() {
  const { email } = useLoaderData<typeof loader>();
  if (email === null) return <NoPendingSignIn />;
  return (
    <Page
      title="Look at your mail"
      lead={
        <>
          A link is on its way to <bdi>{email}</bdi>. Open it within 15 minutes.
        </>
      }
    >
      <Entry title="Or type its code">
        <p>
          If you read the mail on another device, type its six digits here: they work in this
          browser alone, the link anywhere.
        </p>
        <CodeForm email={email} />
      </Entry>
      <p>
        Nothing came? Look among the unwanted mail, or <Link to="/sign-in">ask once more</Link>.
      </p>
    </Page>
  );
}
