import { accountAction, accountLoader, oneCall, type RouteArgs } from "#app/api/page.server.ts";
import { accountLog, readAccount } from "#app/core/accounts/accounts.server.ts";
import { iso } from "#app/core/time.ts";
import { endingKeys, listKeys } from "#app/features/keys/keys.server.ts";
import { EndingKeys } from "#app/features/keys/view/api-keys.tsx";
import { accountEndpoints } from "#app/features/people/account-api.server.ts";
import { listPeople } from "#app/features/people/people.server.ts";
import { AccountLog } from "#app/features/people/view/account-log.tsx";
import { authEndpoints } from "#app/features/sign-in/api.server.ts";
import { SessionList } from "#app/features/sign-in/view/session-list.tsx";
import { shownWebhooks } from "#app/features/webhooks/deliveries.server.ts";
import { WebhooksInTrouble } from "#app/features/webhooks/view/webhooks.tsx";
import { listSessions } from "#app/http/caller/session-end.server.ts";
import { redirect } from "#app/remix/node.server.ts";
import { Link, useActionData, useLoaderData } from "#app/remix/react.ts";
import { ActionButton } from "#app/ui/button.tsx";
import { countText } from "#app/ui/confirm.tsx";
import { Entry, Facts, Fold, Page, Problem } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";

const EVENTS_SHOWN = 10;

export const loader = (args: RouteArgs) =>
  accountLoader(args, ({ app, query, session }) => {
    const { id, accountId, personId } = session;
    const account = readAccount(app, personId);
    // The account was deleted after the session was read.
    if (!account) throw redirect("/sign-in", 303);
    const maxEvents = query.get("log") === "all" ? Number.POSITIVE_INFINITY : EVENTS_SHOWN;
    return {
      account: { ...account, createdAt: iso(account.createdAt) },
      people: listPeople(app, session),
      keys: listKeys(app, accountId).length,
      ending: endingKeys(app, accountId),
      webhooks: shownWebhooks(app, accountId),
      sessions: listSessions(app, personId, id),
      log: accountLog(app, accountId, maxEvents),
    };
  });

export const action = (args: RouteArgs) =>
  accountAction(args, {
    mail: oneCall(accountEndpoints.updateAccount, "/account", ({ field }) => ({
      body: { mailEnabled: field("mail") === "on" },
    })),
    async end({ field, call, session }) {
      const id = field("id");
      await call(accountEndpoints.endSession, { params: { id } });
      return id === session.id ? "/" : "/account";
    },
    "end-all": oneCall(authEndpoints.signOutEverywhere, "/"),
  });

export const meta = () => [{ title: "Account · Deed" }];

export default function AccountPage() {
  const { account, people, keys, ending, webhooks, sessions, log, now } =
    useLoaderData<typeof loader>();
  const { person, email } = account;
  const activeCount = webhooks.filter(({ disabledBecause }) => disabledBecause === null).length;
  const isFirst = person.email === email;
  const problem = useActionData<typeof action>()?.problem;
  return (
    <Page title="Account">
      <Problem message={problem?.message} />
      <Entry title="Settings">
        <EndingKeys keys={ending} now={now} />
        <WebhooksInTrouble webhooks={webhooks} now={now} />
        <Facts
          rows={Object.entries({
            Address: <bdi>{person.email}</bdi>,
            "Account of": isFirst ? null : <bdi>{email}</bdi>,
            Since: <Moment at={account.createdAt} form="day" />,
            People: (
              <Link to="/account/people">
                {people.people.length === 1 ? "Only you" : `${people.people.length} people`}
                {people.invitations.length > 0
                  ? `, ${countText(people.invitations.length, "open invitation")}`
                  : null}
              </Link>
            ),
            "API keys": (
              <Link to="/account/keys">{keys === 0 ? "No keys yet" : countText(keys, "key")}</Link>
            ),
            Webhooks: (
              <Link to="/account/webhooks">
                {webhooks.length === 0
                  ? "No webhooks yet"
                  : `${activeCount} of ${webhooks.length} enabled`}
              </Link>
            ),
            Limits: <Link to="/account/limits">What this account can use</Link>,
            Notices: (
              <div className="stack">
                {person.mailEnabled ? "Emailed to you" : "Not emailed"}. They’re always listed under{" "}
                <Link to="/notices">Notices</Link>.{" "}
                <ActionButton
                  intent="mail"
                  fields={{ mail: person.mailEnabled ? "off" : "on" }}
                  kind="quiet"
                >
                  {person.mailEnabled ? "Stop emailing notices" : "Email me notices"}
                </ActionButton>
              </div>
            ),
          })}
        />
      </Entry>
      <Entry title="Security">
        <Fold title={`Signed in: ${countText(sessions.length, "browser")}`}>
          <SessionList sessions={sessions} now={now} />
          {keys === 0 ? null : (
            <p>API keys keep working when you sign out. Revoke those you do not recognize.</p>
          )}
          <ActionButton intent="end-all">Sign out everywhere</ActionButton>
        </Fold>
        <Fold title="Log" id="log" open={log.events.length > EVENTS_SHOWN}>
          <p>
            Sign-ins, changes and published links, newest first. Kept for 90 days, at most 50 of
            each kind, and erased with the account. If you do not recognize something, sign out
            everywhere.
          </p>
          <AccountLog events={log.events} alone={people.people[1] ? null : person.email} />
          {log.more > 0 ? (
            <p>
              <Link to="?log=all#log">Show {log.more} earlier events</Link>
            </p>
          ) : null}
        </Fold>
      </Entry>
      <Entry title={isFirst ? "Delete" : "Leave"}>
        <p>
          {isFirst ? (
            <Link to="/account/delete">Delete account…</Link>
          ) : (
            <Link to={`/account/people/${person.id}`}>Leave the account…</Link>
          )}
        </p>
      </Entry>
    </Page>
  );
}
