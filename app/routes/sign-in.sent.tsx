import { json, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { sentAddress } from "#app/auth/flow.server.ts";
import { Entry, Page } from "#app/components/page.tsx";
import { CodeForm } from "#app/components/sign-in.tsx";
import { getApp } from "#app/http/app.server.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const email = await sentAddress(getApp(), request);
  if (!email) throw redirect("/sign-in", 303);
  return json({ email });
}

export const meta = () => [{ title: "Look at your mail · Deed" }];

export default function Sent() {
  const { email } = useLoaderData<typeof loader>();
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
        <p>If the mail is on another device, type the six digits in it here.</p>
        <CodeForm email={email} />
      </Entry>
      <p>
        Nothing came? Look among the unwanted mail, or <Link to="/sign-in">ask once more</Link>.
      </p>
    </Page>
  );
}
