import { accountAction, accountLoader, type RouteArgs } from "#app/api/page.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import {
  disableAccount,
  enableAccount,
  limitTexts,
  openClaimCount,
  readListedAccount,
} from "#app/features/admin/accounts.server.ts";
import { requireAdmin } from "#app/http/caller/admin.server.ts";
import { Form, Link, useActionData, useLoaderData } from "#app/remix/react.ts";
import { Button } from "#app/ui/button.tsx";
import { Confirm, countSentence } from "#app/ui/confirm.tsx";
import { Facts, Page, Problem, StateWord, titled } from "#app/ui/page.tsx";
import { fullText, LastSeen, Moment } from "#app/ui/time.tsx";

export const loader = (args: RouteArgs) =>
  accountLoader(
    args,
    ({ app, id, query, session }) => ({
      defaults: limitTexts({ openClaims: app.settings.openClaims, domains: app.settings.domains }),
      isDisabling: query.has("disable"),
      account: readListedAccount(app, id),
      open: openClaimCount(app, id),
      isOwn: id === session.accountId,
    }),
    requireAdmin,
  );

export async function action(args: RouteArgs) {
  await requireAdmin(args.request);
  return accountAction(args, {
    async enable({ app, id }) {
      await enableAccount(app, id);
      return "/admin";
    },
    async confirm({ app, id, session }) {
      if (id === session.accountId) throw new DeedError("invalid_request");
      await disableAccount(app, id);
      return "/admin";
    },
  });
}

export const meta = titled<typeof loader>((data) => `${data.account.email} · Admin`);

export default function AccountPage() {
  const { account, defaults, open, isOwn, isDisabling, now } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem.message;
  const { email, disabledAt } = account;
  if (isOwn || disabledAt || !isDisabling)
    return (
      <Page above={<Link to="/admin">Admin</Link>} title={<bdi>{email}</bdi>}>
        <Problem message={problem} />
        <Facts
          rows={[
            [
              "State",
              disabledAt ? (
                <StateWord key="1" tone="ended" word={`disabled since ${fullText(disabledAt)}`} />
              ) : (
                "Active"
              ),
            ],
            ["Since", <Moment key="since" at={account.createdAt} form="day" />],
            ["Last seen", <LastSeen key="seen" at={account.lastSeenAt} now={now} />],
            ["People", account.people],
            ["Domains", account.names.toLocaleString("en")],
            ["Open claims", open.toLocaleString("en")],
            ["Limits", account.limits.join(", ") || `the defaults: ${defaults.join(", ")}`],
          ]}
        />
        {isOwn ? <p>This is your own account. You cannot disable it yourself.</p> : null}
        {isOwn || disabledAt ? null : (
          <Form method="get" className="more">
            <input type="hidden" name="disable" />
            <Button kind="danger">Disable the account…</Button>
          </Form>
        )}
        {disabledAt ? (
          <Form method="post" className="stack more">
            <p>If you enable it, its people can sign in again. Canceled claims stay canceled.</p>
            <Button kind="primary" intent="enable">
              Enable the account
            </Button>
          </Form>
        ) : null}
      </Page>
    );
  return (
    <Confirm
      above={<bdi>{email}</bdi>}
      title="Disable this account?"
      consequences={[
        account.people > 1
          ? `Its ${account.people} people are signed out at once and cannot sign in.`
          : "Its only person is signed out at once and cannot sign in.",
        "Its API keys are revoked, and the webhooks that they set up are disabled. This cannot be undone.",
        countSentence(open, "open claim", "will be canceled. This cannot be undone."),
        "Its proofs stay, and their links keep working.",
        "You can enable the account again.",
      ]}
      actionLabel="Disable the account"
      back={`/admin/accounts/${account.id}`}
    />
  );
}
