import { accountAction, accountLoader, oneCall, type RouteArgs } from "#app/api/page.server.ts";
import { accountEndpoints } from "#app/features/people/account-api.server.ts";
import { accountDeletionImpact, listPeople } from "#app/features/people/people.server.ts";
import { redirect } from "#app/remix/node.server.ts";
import { useActionData, useLoaderData } from "#app/remix/react.ts";
import { Confirm, countSentence, countText } from "#app/ui/confirm.tsx";
import { EmailField } from "#app/ui/field.tsx";

export const loader = (args: RouteArgs) =>
  accountLoader(args, ({ app, session }) => {
    const { people } = listPeople(app, session);
    if (!people.some(({ isFirst, isYou }) => isFirst && isYou)) throw redirect("/account", 303);
    const impact = accountDeletionImpact(app, session.accountId);
    return { email: session.email, others: people.length - 1, impact };
  });

export const action = (args: RouteArgs) =>
  accountAction(
    args,
    oneCall(accountEndpoints.deleteAccount, "/sign-in?deleted", ({ field }) => ({
      body: { email: field("email") },
    })),
    ({ problem }, form) => {
      const typed = form?.get("email") ?? "";
      if (problem.code !== "invalid_request") return { typed, fieldError: null, problem };
      const fieldError = "This is not the address of this account. Type it as shown above.";
      return { typed, fieldError, problem: null };
    },
  );

export const meta = () => [{ title: "Delete account · Deed" }];

export default function DeleteAccountPage() {
  const { email, others, impact } = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>();
  return (
    <Confirm
      above={<bdi>{email}</bdi>}
      title="Delete this account?"
      consequences={[
        "The account and everything it owns will be erased. This cannot be undone.",
        impact.domains > 0 &&
          `${countText(impact.domains, "domain")} and ${countText(impact.claims, "claim")} will be erased, proofs included.`,
        countSentence(impact.liveLinks, "proof link", "will stop working."),
        others > 0
          ? `You and ${others === 1 ? "one other person" : `${others} other people`} will be signed out everywhere and lose access to it.`
          : "You will be signed out everywhere.",
      ]}
      actionLabel="Delete account"
      back="/account"
    >
      <EmailField
        label="Type the address of this account to confirm"
        defaultValue={refusal?.typed}
        error={refusal?.fieldError}
      />
    </Confirm>
  );
}
