import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { formAction } from "#app/api/form-action.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import {
  disableAccount,
  enableAccount,
  openClaimCount,
  readListedAccount,
} from "#app/features/admin/accounts.server.ts";
import { getApp } from "#app/http/app.server.ts";
import { requireAdmin } from "#app/http/caller/admin.server.ts";
import { throwPage } from "#app/http/page-errors.server.ts";
import { Button } from "#app/ui/button.tsx";
import { Confirm, countSentence } from "#app/ui/confirm.tsx";
import { Page, Problem } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";

export async function loader({ request, params: { id = "" } }: LoaderFunctionArgs) {
  const { accountId } = await requireAdmin(request);
  try {
    const account = readListedAccount(getApp(), id);
    return json({ account, open: openClaimCount(getApp(), id), isOwn: id === accountId });
  } catch (thrown) {
    return throwPage(thrown);
  }
}

export async function action(args: ActionFunctionArgs) {
  await requireAdmin(args.request);
  return formAction(args, async ({ app, form, session }) => {
    const { id = "" } = args.params;
    const intent = form.get("intent");
    if (intent === "enable") await enableAccount(app, id);
    else if (intent === "confirm" && id !== session.accountId) await disableAccount(app, id);
    else throw new DeedError("invalid_request");
    return redirect("/admin", 303);
  });
}

export const meta = () => [{ title: "Disable an account · Deed" }];

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
        "Its API keys are revoked. This cannot be undone.",
        countSentence(open, "open claim", "will be canceled. This cannot be undone."),
        "Its proofs stay, and their links keep working.",
        "You can enable the account again.",
      ]}
      actionLabel="Disable the account"
      back="/admin"
    />
  );
}
