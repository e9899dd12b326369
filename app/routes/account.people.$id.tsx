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

export async function loader({ request, params }: LoaderFunctionArgs) {
  const session = await requireSession(request);
  const person = listPeople(getApp(), session).people.find(({ id }) => id === params.id);
  if (!person || person.isFirst) return throwPage(new DeedError("person_not_found"));
  return json({ person });
}

export const action = (args: ActionFunctionArgs) =>
  formAction(args, async (_, session) => {
    const { id } = args.params;
    const { headers } = await callEndpoint(dropPerson, args.request, { params: { id } });
    return redirect(id === session.personId ? "/" : "/account/people", { status: 303, headers });
  });

export const meta: MetaFunction = () => [{ title: "Remove a person · Deed" }];

export default function RemovePage() {
  const { email, isYou } = useLoaderData<typeof loader>().person;
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
