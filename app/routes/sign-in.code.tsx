import { publicAction, type RouteArgs } from "#app/api/page.server.ts";
import { authEndpoints, placeAfterSignIn } from "#app/features/sign-in/api.server.ts";
import { CodeForm, NoPendingSignIn } from "#app/features/sign-in/view/sign-in.tsx";
import { getApp } from "#app/http/app.server.ts";
import { pendingSignIn } from "#app/http/caller/cookies.server.ts";
import { Link, useActionData, useLoaderData } from "#app/remix/react.ts";
import { Page } from "#app/ui/page.tsx";

export async function loader({ request }: RouteArgs) {
  const asked = await pendingSignIn(getApp(), request);
  return { email: asked?.email ?? null };
}

export const action = (args: RouteArgs) =>
  publicAction(
    args,
    async ({ app, field, call }) => {
      const body = { email: field("email"), code: field("code") };
      return placeAfterSignIn(app, (await call(authEndpoints.verifyMagicLink, { body })).body);
    },
    ({ problem }, form) => {
      const [email, code] = ["email", "code"].map((name) => form?.get(name) ?? "");
      if (problem.code !== "invalid_sign_in") return { email, code, error: problem.message };
      const error =
        "This code is wrong or no longer works. Use the one in the latest email you asked for in this browser, or ask for a new one.";
      return { email, code: "", error };
    },
  );

export const meta = () => [{ title: "Sign in with a code · Deed" }];

export default function Code() {
  const { email } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  if (email === null) return <NoPendingSignIn />;
  return (
    <Page title="Sign in with a code" lead="The six digits are in the subject of the email.">
      <div className="stack">
        <CodeForm typed={refused?.email ?? email} code={refused?.code} error={refused?.error} />
        <p>
          <Link to="/sign-in">Ask for a new email</Link>
        </p>
      </div>
    </Page>
  );
}
