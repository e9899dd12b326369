import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { callEndpoint } from "#app/api/dispatch.server.ts";
import { formAction } from "#app/api/form-action.server.ts";
import { dropPerson } from "#app/api/people.server.ts";
import { requireSession } from "#app/auth/session.server.ts";
import { Confirm } from "#app/components/ui/confirm.tsx";
import { getApp } from "#app/http/app.server.ts";
import { throwPage } from "#app/http/page-errors.server.ts";
import { listPeople } from "#app/services/accounts/people.server.ts";
import { DeedError } from "#app/services/errors.server.ts";
import { listKeys } from "#app/services/keys/keys.server.ts";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const session = await requireSession(request);
  const person = listPeople(getApp(), session).people.find(({ id }) => id === params.id);
  if (!person || person.isFirst) return throwPage(new DeedError("person_not_found"));
  const keys = listKeys(getApp(), session.accountId).filter(
    ({ createdBy }) => createdBy === person.email,
  );
  return json({ person, keys: keys.map(({ name }) => name) });
}

export const action = (args: ActionFunctionArgs) =>
  formAction(args, async (_, session) => {
    const { id } = args.params;
    const { headers } = await callEndpoint(dropPerson, args.request, { params: { id } });
    return redirect(id === session.personId ? "/" : "/account/people", { status: 303, headers });
  });

export const meta: MetaFunction = () => [{ title: "Remove a person · Deed" }];

export default function RemovePage() {
  const { person, keys } = useLoaderData<typeof loader>();
  const { email, isYou } = person;
  const problem = useActionData<typeof action>()?.problem.message;
  return (
    <Confirm
      above={<bdi>{email}</bdi>}
      title={isYou ? "Leave this account?" : "Remove this person?"}
      consequences={[
        isYou
          ? "You will be signed out everywhere and lose access to this account."
          : "They will be signed out everywhere at once and lose access to this account.",
        "Domains, claims and proofs stay with the account.",
        `Invitations that ${isYou ? "you" : "they"} sent will stop working.`,
        keys.length > 0
          ? `${isYou ? "Your" : "Their"} API keys will stop working: ${keys.join(", ")}. To keep one, another person can rotate it first.`
          : null,
        isYou
          ? "To come back, you need a new invitation."
          : "To let them back in, invite them again.",
      ]}
      actionLabel={isYou ? "Leave the account" : "Remove from the account"}
      back="/account/people"
      problem={problem}
    />
  );
}
