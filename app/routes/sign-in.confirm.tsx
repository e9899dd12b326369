import { publicAction, type RouteArgs } from "#app/api/page.server.ts";
import { nameToProve } from "#app/core/names/prove-path.ts";
import { authEndpoints, pathAfterSignIn } from "#app/features/sign-in/api.server.ts";
import { readLink } from "#app/features/sign-in/magic-link.server.ts";
import { SignInFailed } from "#app/features/sign-in/view/sign-in.tsx";
import { getApp } from "#app/http/app.server.ts";
import { keepsCookies, probeCookie } from "#app/http/caller/cookies.server.ts";
import { connectionOf } from "#app/http/connection.server.ts";
import { json } from "#app/remix/node.server.ts";
import { Form, useActionData, useLoaderData } from "#app/remix/react.ts";
import { Button } from "#app/ui/button.tsx";
import { useHolder } from "#app/ui/frame.tsx";
import { Notice, Page, Problem } from "#app/ui/page.tsx";

/** Who will be signed in by an open link, and what they prove; null if the link was used, has expired or never existed. */
function openLink(token: string) {
  const link = readLink(getApp(), token);
  return link && { token, email: link.email, proving: nameToProve(link.callbackPath) };
}

/** Does not use up the token, because mail scanners open links. */
export async function loader({ request }: RouteArgs) {
  const link = openLink(connectionOf(request).signInToken ?? "");
  if (!link) return json(null, { status: 401 });
  return json(link, { headers: { "Set-Cookie": await probeCookie(getApp().env) } });
}

export const action = (args: RouteArgs) =>
  publicAction(
    args,
    async ({ app, form, call }) => {
      const token = form.get("token") ?? "";
      const link = openLink(token);
      if (link && !(await keepsCookies(app.env, args.request))) {
        const headers = { "Set-Cookie": await probeCookie(app.env) };
        return json({ link, error: null, refusesCookies: true }, { status: 400, headers });
      }
      const { body } = await call(authEndpoints.verifyMagicLink, { body: { token } });
      return pathAfterSignIn(app, body);
    },
    ({ problem }, form) => ({
      link: openLink(form?.get("token") ?? ""),
      error: problem.message,
      refusesCookies: false,
    }),
  );

/** The token is in this page's URL, so the referrer must be limited to the origin, even for same-origin requests. */
export const headers = () => ({ "Referrer-Policy": "strict-origin", "Cache-Control": "no-store" });

export const meta = () => [
  { title: "Confirm to sign in · Deed" },
  { name: "robots", content: "noindex" },
];

export default function Confirm() {
  const openedLink = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>();
  const holder = useHolder();
  const link = refusal ? refusal.link : openedLink;
  if (!link)
    return (
      <SignInFailed title="This link no longer works">
        <p>A link works once, for 15 minutes. {holder ? "You are signed in." : refusal?.error}</p>
      </SignInFailed>
    );
  return (
    <Page
      title={refusal?.refusesCookies ? "This browser refuses cookies" : "Sign in to Deed"}
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
      <Form method="post" action="/sign-in/confirm" reloadDocument className="stack">
        <input type="hidden" name="token" value={link.token} />
        {refusal?.refusesCookies ? (
          <Notice title="You are not signed in yet, and your link still works">
            <p>
              Signing in needs one cookie, and this browser did not keep it. Allow cookies for this
              site in the browser’s settings, then press the button again. Or open the link from the
              email in another browser.
            </p>
          </Notice>
        ) : null}
        <Problem message={refusal?.error} />
        <Button kind="primary">Sign in as {link.email}</Button>
      </Form>
    </Page>
  );
}
