import { publicAction, type RouteArgs } from "#app/api/page.server.ts";
import { accountWhere, maskEmail } from "#app/core/accounts/accounts.server.ts";
import { peopleEndpoints } from "#app/features/people/api.server.ts";
import { readInvitation } from "#app/features/people/invitations.server.ts";
import { getApp } from "#app/http/app.server.ts";
import { hashSecret, keepsCookies, probeCookie } from "#app/http/caller/cookies.server.ts";
import { sessionOf } from "#app/http/caller/session.server.ts";
import { connectionOf } from "#app/http/connection.server.ts";
import { json } from "#app/remix/node.server.ts";
import { Form, useActionData, useLoaderData } from "#app/remix/react.ts";
import { Button } from "#app/ui/button.tsx";
import { useHolder } from "#app/ui/frame.tsx";
import { Entry, Page } from "#app/ui/page.tsx";

const NO_COOKIES =
  "Signing in needs a cookie, and this browser did not keep it. Allow cookies for this site, then open the invitation again: it still works.";

/** Does not accept the invitation, because mail scanners open links. */
export async function loader({ request }: RouteArgs) {
  const token = connectionOf(request).signInToken ?? "";
  const invitation = readInvitation(getApp(), hashSecret(token));
  if (!invitation) return json(null, { status: 404 });
  const { email, accountEmail, invitedBy } = invitation;
  const session = await sessionOf(request);
  const signedInAs = session && session.email !== email ? session.email : null;
  const hasOwn = accountWhere(getApp().db, { email }) !== undefined;
  const shown = { token, email, account: maskEmail(accountEmail), invitedBy, signedInAs, hasOwn };
  return json(shown, { headers: { "Set-Cookie": await probeCookie(getApp().env) } });
}

export const action = (args: RouteArgs) =>
  publicAction(
    args,
    async ({ app, form, call }) => {
      const body = { token: form.get("token") ?? "" };
      if (form.get("intent") === "decline") {
        await call(peopleEndpoints.declineInvitation, { body });
        return { declined: true, error: null, isOpen: false } as const;
      }
      const isOpen = readInvitation(app, hashSecret(body.token)) !== null;
      if (isOpen && !(await keepsCookies(app.env, args.request)))
        return json({ declined: false, error: NO_COOKIES, isOpen } as const, { status: 400 });
      await call(peopleEndpoints.acceptInvitation, { body });
      return "/domains";
    },
    ({ problem: { code, message } }) =>
      ({ declined: false, error: message, isOpen: code !== "invitation_not_found" }) as const,
  );

/** The token is in this page's URL, so the referrer must be limited to the origin, even for same-origin requests. */
export const headers = () => ({ "Referrer-Policy": "strict-origin", "Cache-Control": "no-store" });

export const meta = () => [{ title: "Invitation · Deed" }, { name: "robots", content: "noindex" }];

export default function InvitationPage() {
  const invitation = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const holder = useHolder();
  if (answer?.declined)
    return <Page title="Declined" lead="Nothing was changed, and the link no longer works." />;
  if (answer?.isOpen) return <Page title="You are not in this account" lead={answer.error} />;
  if (!invitation || answer)
    return (
      <Page
        title="This invitation is no longer open"
        lead={`It was answered or withdrawn, or its seven days are over. ${holder ? "You are signed in. If you did not accept it, ask" : "Ask"} the person who invited you for a new one.`}
      />
    );
  const { token, email, account, invitedBy, signedInAs, hasOwn } = invitation;
  return (
    <Page
      above={<bdi>{email}</bdi>}
      title="You are invited"
      lead={
        <>
          <bdi>{invitedBy}</bdi> invites you to sign in to their account.
        </>
      }
    >
      <Entry title="What it means">
        <ul>
          <li>You can see and do everything in the account, except delete it.</li>
          <li>
            Proofs show the account’s first address, as <bdi>{account}</bdi>, and not yours.
          </li>
          <li>The others in the account see your address. You can leave at any time.</li>
          {hasOwn ? (
            <li>
              If you accept, the account that you have now is deleted, with its API keys and
              webhooks. If it has domains or other people, you cannot accept.
            </li>
          ) : null}
          {signedInAs ? (
            <li>
              This browser is signed in as <bdi>{signedInAs}</bdi>. If you accept, that address is
              signed out.
            </li>
          ) : null}
        </ul>
      </Entry>
      <Entry title="Your answer">
        <Form method="post" action="/sign-in/invitation" reloadDocument className="row">
          <input type="hidden" name="token" value={token} />
          <Button kind="primary" intent="accept">
            Accept and sign in
          </Button>{" "}
          <Button intent="decline">Decline</Button>
        </Form>
      </Entry>
    </Page>
  );
}
