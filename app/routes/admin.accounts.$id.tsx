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
import { Page, Problem, titled } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";

export const loader = (args: RouteArgs) =>
  accountLoader(
    args,
    ({ app, id, session }) => ({
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

export default function DisablePage() {
  const { account, open, isOwn } = useLoaderData<typeof loader>();
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
        above={above}
        title="This account is disabled"
        lead={
          <>
            Since <Moment at={account.disabledAt} />. If you enable it, its people can sign in
            again. Canceled claims stay canceled.
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
  if (isOwn)
    return (
      <Page above={above} title="This is your own account" lead="You cannot disable it yourself.">
        {back}
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
      back="/admin"
    />
  );
}
