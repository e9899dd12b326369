import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { callEndpoint } from "#app/api/dispatch.server.ts";
import { placeAfterSignIn } from "#app/features/sign-in/after-sign-in.server.ts";
import { verifyMagicLink } from "#app/features/sign-in/api.server.ts";
import { CodeForm, NoPendingSignIn } from "#app/features/sign-in/view/sign-in.tsx";
import { getApp } from "#app/http/app.server.ts";
import { formOf } from "#app/http/body.server.ts";
import { pendingSignIn } from "#app/http/caller/cookies.server.ts";
import { problemOf } from "#app/http/page-errors.server.ts";
import { Page } from "#app/ui/page.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const asked = await pendingSignIn(getApp(), request);
  return json({ email: asked?.email ?? null });
}

export async function action({ request }: ActionFunctionArgs) {
  let email = "";
  let code = "";
  try {
    const form = await formOf(request);
    email = form.get("email") ?? "";
    code = form.get("code") ?? "";
    const body = { email, code };
    const { headers, ...signedIn } = await callEndpoint(verifyMagicLink, request, { body });
    const { account, callbackPath } = signedIn.body;
    const place = await placeAfterSignIn(account.id, callbackPath);
    return redirect(place, { status: 303, headers });
  } catch (thrown) {
    const { problem, ...init } = problemOf(thrown);
    const isWrong = problem.code === "invalid_sign_in";
    const error = isWrong
      ? "This code is wrong or no longer works. Use the one in the newest mail you asked for in this browser, or ask for a new one."
      : problem.message;
    return json({ email, code: isWrong ? "" : code, error }, init);
  }
}

export const meta = () => [{ title: "Sign in with a code · Deed" }];

export default function Code() {
  const { email } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  if (email === null) return <NoPendingSignIn />;
  return (
    <Page title="Sign in with a code" lead="The six digits are in the mail, below the link.">
      <div className="stack">
        <CodeForm typed={refused?.email ?? email} code={refused?.code} error={refused?.error} />
        <p>
          <Link to="/sign-in">Ask for a new mail</Link>
        </p>
      </div>
    </Page>
  );
}
