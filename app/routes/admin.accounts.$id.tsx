import { accountAction, accountLoader, type RouteArgs } from "#app/api/page.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import {
  disableAccount,
  enableAccount,
  openClaimCount,
  readListedAccount,
} from "#app/features/admin/accounts.server.ts";
import { requireAdmin } from "#app/http/caller/admin.server.ts";
import { Form, Link, useActionData, useLoaderData } from "#app/remix/react.ts";
import { Button } from "#app/ui/button.tsx";
import { Confirm, countSentence } from "#app/ui/confirm.tsx";
import { Facts, Page, Problem, titled } from "#app/ui/page.tsx";
import { LastSeen, Moment } from "#app/ui/time.tsx";

export const loader = (args: RouteArgs) =>
  accountLoader(
    args,
    ({ app, id, query, session }) => ({
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
  const { account, open, isOwn, isDisabling, now } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem.message;
  const above = <bdi>{account.email}</bdi>;
  const back = (
    <Link to="/admin" className="button">
      Back
    </Link>
  );
  if (account.disabledAt)
    return (
      <Page
        above="Account, disabled"
        title={above}
        lead={
          <>
            Disabled since <Moment at={account.disabledAt} />. If you enable it, its people can sign
            in again. Canceled claims stay canceled.
          </>
        }
      >
        <Form method="post" className="row">
          <Problem message={problem} />
          <Button kind="primary" intent="enable">
            Enable the account
          </Button>{" "}
          {back}
        </Form>
      </Page>
    );
  if (isOwn || !isDisabling)
    return (
      <Page
        above="Account"
        title={above}
        lead={isOwn ? "This is your own account. You cannot disable it yourself." : undefined}
      >
        <Facts
          rows={[
            ["State", "Active"],
            ["Since", <Moment key="since" at={account.createdAt} form="day" />],
            ["Last seen", <LastSeen key="seen" at={account.lastSeenAt} now={now} />],
            ["People", account.people],
            ["Domains", account.names.toLocaleString("en")],
            ["Open claims", open.toLocaleString("en")],
            ["Limits", account.limits.join(", ") || "the defaults"],
          ]}
        />
        <Form method="get" className="row more">
          {isOwn ? null : (
            <>
              <input type="hidden" name="disable" />
              <Button kind="danger">Disable…</Button>
            </>
          )}{" "}
          {back}
        </Form>
      </Page>
    );
  return (
    <Confirm
      above={above}
      title="Disable this account?"
      consequences={[
        account.people > 1
          ? `Its ${account.people} people are signed out at once and cannot sign in.`
          : "Its person is signed out at once and cannot sign in.",
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
