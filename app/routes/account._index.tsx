import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { accountAction, accountLoader, calling } from "#app/api/page.server.ts";
import { accountLog, readAccount } from "#app/core/accounts/accounts.server.ts";
import { iso } from "#app/core/time.ts";
import { endingKeys, listKeys } from "#app/features/keys/keys.server.ts";
import { EndingKeys } from "#app/features/keys/view/api-keys.tsx";
import { endOneSession, updateAccount } from "#app/features/people/account-api.server.ts";
import { listPeople } from "#app/features/people/people.server.ts";
import { AccountLog } from "#app/features/people/view/account-log.tsx";
import { signOutEverywhere } from "#app/features/sign-in/api.server.ts";
import { SessionList } from "#app/features/sign-in/view/session-list.tsx";
import { EndedWebhooks } from "#app/features/webhooks/view/webhooks.tsx";
import { endedWebhooks, listWebhooks } from "#app/features/webhooks/webhooks.server.ts";
import { listSessions } from "#app/http/caller/session-end.server.ts";
import { ActionButton } from "#app/ui/button.tsx";
import { countText } from "#app/ui/confirm.tsx";
import { Entry, Facts, Page, Problem } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";

/** Events shown unless all are requested. */
const EVENTS_SHOWN = 10;

export const loader = (args: LoaderFunctionArgs) =>
  accountLoader(args, ({ app, query, session }) => {
    const { id, accountId, personId } = session;
    const account = readAccount(app, personId);
    // The account was deleted after the session was read.
    if (!account) throw redirect("/sign-in", 303);
    const webhooks = listWebhooks(app, accountId);
    const shown = query.get("log") === "all" ? Number.POSITIVE_INFINITY : EVENTS_SHOWN;
    return {
      account: { ...account, createdAt: iso(account.createdAt) },
      people: listPeople(app, session),
      keys: listKeys(app, accountId).length,
      ending: endingKeys(app, accountId),
      webhooks: webhooks.length,
      posting: webhooks.filter(({ disabledBecause }) => disabledBecause === null).length,
      ended: endedWebhooks(app, accountId),
      sessions: listSessions(app, personId, id),
      log: accountLog(app, accountId, shown),
    };
  });

export const action = (args: ActionFunctionArgs) =>
  accountAction(args, {
    async mail({ form, call }) {
      await call(updateAccount, { body: { mailEnabled: form.get("mail") === "on" } });
      return "/account";
    },
    async end({ form, call, session }) {
      const id = form.get("id") ?? "";
      await call(endOneSession, { params: { id } });
      return id === session.id ? "/" : "/account";
    },
    "end-all": calling(signOutEverywhere, "/"),
  });

export const meta = () => [{ title: "Account · Deed" }];

export default function AccountPage() {
  const { account, people, keys, ending, webhooks, posting, ended, sessions, log, now } =
    useLoaderData<typeof loader>();
  const isFirst = account.person.email === account.email;
  const problem = useActionData<typeof action>()?.problem;
  return (
    <Page title="Account">
      <Problem message={problem?.message} />
      <Entry title="Address">
        <Facts
          rows={[
            ["Address", <bdi key="email">{account.person.email}</bdi>],
            isFirst ? null : ["Account of", <bdi key="account">{account.email}</bdi>],
            ["Since", <Moment key="since" at={account.createdAt} form="day" />],
          ]}
        />
      </Entry>
      <Entry title="Mail">
        <p>
          Notices are {account.person.mailEnabled ? "emailed to this address" : "not emailed"}. You
          always find them under <Link to="/notices">Notices</Link>. Sign-in mails are always sent.
        </p>
        <ActionButton intent="mail" fields={{ mail: account.person.mailEnabled ? "off" : "on" }}>
          {account.person.mailEnabled ? "Stop emailing notices" : "Email me notices"}
        </ActionButton>
      </Entry>
      <Entry title="People">
        <p>
          {people.people.length === 1
            ? "Only you can sign in to this account."
            : `${people.people.length} people can sign in to this account.`}
          {people.invitations.length > 0
            ? ` ${countText(people.invitations.length, "open invitation")}.`
            : null}
        </p>
        <p>
          <Link to="/account/people">
            {people.people.length === 1 ? "Invite someone" : "Manage people"}
          </Link>
        </p>
      </Entry>
      <Entry title="API keys">
        <EndingKeys keys={ending} now={now} />
        <p>
          {keys === 0
            ? "No program acts for this account."
            : `${countText(keys, "key")} for programs that act for this account.`}
        </p>
        <p>
          <Link to="/account/keys">{keys === 0 ? "Create a key" : "Manage keys"}</Link>
        </p>
      </Entry>
      <Entry title="Webhooks">
        <EndedWebhooks webhooks={ended} />
        <p>
          {posting === 0
            ? "Deed can post what happens here to your own service."
            : `What happens here is posted to ${countText(posting, "address", "addresses")}.`}
        </p>
        <p>
          <Link to="/account/webhooks">{webhooks === 0 ? "Add a webhook" : "Manage webhooks"}</Link>
        </p>
      </Entry>
      <Entry title="Signed in">
        <SessionList sessions={sessions} now={now} />
        {keys === 0 ? null : (
          <p>API keys keep working when you sign out. Revoke those you do not know.</p>
        )}
        <ActionButton intent="end-all">Sign out everywhere</ActionButton>
      </Entry>
      <Entry title="Log" id="log">
        <p>
          Sign-ins, changes and published links. Kept for 90 days, at most 50 of a kind, and erased
          with the account. If something here was not you, sign out everywhere.
        </p>
        <AccountLog events={log.events} you={account.person.email} />
        {log.more > 0 ? (
          <p>
            <Link to="?log=all#log">Show {log.more} earlier</Link>
          </p>
        ) : null}
      </Entry>
      <Entry title="Leave">
        <p>
          {isFirst ? (
            <Link to="/account/delete">Delete the account…</Link>
          ) : (
            <Link to={`/account/people/${account.person.id}`}>Leave the account…</Link>
          )}
        </p>
      </Entry>
    </Page>
  );
}
