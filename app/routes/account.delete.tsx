import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { callEndpoint } from "#app/api/dispatch.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { eraseAccount } from "#app/features/people/account-api.server.ts";
import { accountDeletionImpact, listPeople } from "#app/features/people/people.server.ts";
import { getApp } from "#app/http/app.server.ts";
import { formOf } from "#app/http/body.server.ts";
import { requireSession } from "#app/http/caller/session.server.ts";
import { problemOf, throwPage } from "#app/http/page-errors.server.ts";
import { Confirm, countText } from "#app/ui/confirm.tsx";
import { Field } from "#app/ui/field.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const session = await requireSession(request);
  const { accountId, email } = session;
  const { people } = listPeople(getApp(), session);
  if (!people.some(({ isFirst, isYou }) => isFirst && isYou))
    throwPage(new DeedError("not_first_address"));
  return json({
    email,
    others: people.length - 1,
    impact: accountDeletionImpact(getApp(), accountId),
  });
}

export async function action({ request }: ActionFunctionArgs) {
  await requireSession(request);
  let typed = "";
  try {
    typed = (await formOf(request)).get("email") ?? "";
    const { headers } = await callEndpoint(eraseAccount, request, { body: { email: typed } });
    return redirect("/", { status: 303, headers });
  } catch (thrown) {
    const { problem, ...init } = problemOf(thrown);
    if (problem.code !== "invalid_request") return json({ typed, fieldError: null, problem }, init);
    const fieldError = "This is not the address of this account. Type it as shown above.";
    return json({ typed, fieldError, problem: null }, init);
  }
}

export const meta = () => [{ title: "Delete the account · Deed" }];

export default function DeleteAccountPage() {
  const { email, others, impact } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return (
    <Confirm
      above={<bdi>{email}</bdi>}
      title="Delete this account?"
      consequences={[
        "The account and everything it owns will be erased. This cannot be undone.",
        impact.domains > 0
          ? `${countText(impact.domains, "domain")} and ${countText(impact.claims, "claim")} will be erased, proofs included.`
          : null,
        impact.liveLinks > 0
          ? `${countText(impact.liveLinks, "public link")} will stop working.`
          : null,
        others > 0
          ? `You and ${others === 1 ? "one other person" : `${others} other people`} will be signed out everywhere and lose access to it.`
          : "You will be signed out everywhere.",
      ]}
      actionLabel="Delete the account"
      back="/account"
      problem={refused?.problem?.message}
    >
      <Field
        label="Type the address of this account to confirm"
        name="email"
        type="email"
        defaultValue={refused?.typed}
        error={refused?.fieldError}
        autoComplete="off"
        required
      />
    </Confirm>
  );
}
