import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { placeAfterSignIn } from "#app/api/after-sign-in.server.ts";
import { verifyMagicLink } from "#app/api/auth.server.ts";
import { callEndpoint } from "#app/api/dispatch.server.ts";
import { readLink } from "#app/auth/sign-in-links.server.ts";
import { SignInFailed } from "#app/components/account/sign-in.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Page } from "#app/components/ui/page.tsx";
import { getApp } from "#app/http/app.server.ts";
import { formOf } from "#app/http/body.server.ts";
import { connectionOf } from "#app/http/connection.server.ts";
import { problemOf } from "#app/http/page-errors.server.ts";
import { nameToProve } from "#app/services/names/prove-path.ts";

/** Does not consume the token, because mail scanners open links. */
export function loader({ request }: LoaderFunctionArgs) {
  const token = connectionOf(request).signInToken ?? "";
  const link = readLink(getApp(), token);
  if (!link) return json(null, { status: 401 });
  return json({ token, email: link.email, proving: nameToProve(link.callbackPath) });
}

export async function action({ request }: ActionFunctionArgs) {
  try {
    const body = { token: (await formOf(request)).get("token") ?? "" };
    const { headers, ...signedIn } = await callEndpoint(verifyMagicLink, request, { body });
    const { account, callbackPath } = signedIn.body;
    const place = await placeAfterSignIn(account.id, callbackPath);
    return redirect(place, { status: 303, headers });
  } catch (thrown) {
    const { problem, status } = problemOf(thrown);
    return json({ error: problem.message }, { status });
  }
}

/** The token is in this page's URL, so the referrer must be limited to the origin, even for same-origin requests. */
export const headers = () => ({ "Referrer-Policy": "strict-origin", "Cache-Control": "no-store" });

export const meta = () => [{ title: "Sign in · Deed" }, { name: "robots", content: "noindex" }];

export default function Confirm() {
  const link = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  if (!link || refused) {
    return (
      <SignInFailed title="This link does not work any more">
        A link works once, for 15 minutes. {refused?.error}
      </SignInFailed>
    );
  }
  return (
    <Page
      title="Sign in to Deed"
      lead={
        <>
          This signs <bdi>{link.email}</bdi> in on this device
          {link.proving ? (
            <>
              {" "}
              and starts proving <bdi>{link.proving}</bdi>
            </>
          ) : null}
          .
        </>
      }
    >
      <Form method="post" action="/sign-in/confirm" reloadDocument>
        <input type="hidden" name="token" value={link.token} />
        <Button kind="primary">Sign in as {link.email}</Button>
      </Form>
    </Page>
  );
}
