import { accountAction, accountLoader, oneCall, type RouteArgs } from "#app/api/page.server.ts";
import { ERRORS } from "#app/core/errors.server.ts";
import { peopleEndpoints } from "#app/features/people/api.server.ts";
import { countOthers, listPeople, MAX_OTHERS } from "#app/features/people/people.server.ts";
import { InvitationTable, PeopleTable } from "#app/features/people/view/people.tsx";
import { Form, Link, useActionData, useLoaderData } from "#app/remix/react.ts";
import { Button } from "#app/ui/button.tsx";
import { EmailField } from "#app/ui/field.tsx";
import { Entry, Page, Problem } from "#app/ui/page.tsx";

export const loader = (args: RouteArgs) =>
  accountLoader(args, ({ app, session }) => {
    const list = listPeople(app, session);
    const isFull = countOthers(list) >= MAX_OTHERS;
    return { ...list, you: session.email, full: isFull ? ERRORS.too_many_people[1] : null };
  });

export const action = (args: RouteArgs) =>
  accountAction(
    args,
    {
      invite: oneCall(peopleEndpoints.invitePerson, "/account/people", ({ field }) => ({
        body: { email: field("email") },
      })),
      withdraw: oneCall(peopleEndpoints.withdrawInvitation, "/account/people", ({ field }) => ({
        params: { id: field("id") },
      })),
    },
    ({ problem }, form) => {
      const isInvite = form?.get("intent") === "invite";
      const message =
        problem.code === "invalid_request"
          ? "This is not an email address. Type it as name@example.org."
          : problem.message;
      return { typed: form?.get("email") ?? "", inviteError: isInvite ? message : null, problem };
    },
  );

export const meta = () => [{ title: "People · Deed" }];

export default function PeoplePage() {
  const { people, invitations, now, you, full } = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>();
  return (
    <Page
      above={<Link to="/account">Account</Link>}
      title="People"
      lead="Everyone here has the same access. Only the first address can delete the account."
    >
      <Problem message={refusal?.inviteError ? null : refusal?.problem.message} />
      <Entry title="In this account">
        <PeopleTable people={people} now={now} />
        <p className="soft">Proofs show the first address, masked. It cannot be removed.</p>
      </Entry>
      <Entry title="Invitations">
        <InvitationTable invitations={invitations} />
        {full ? (
          <p>{full}</p>
        ) : (
          <>
            <p>
              The person gets an email that names you, <bdi>{you}</bdi>, with a link to accept. It
              works for seven days.
            </p>
            <Form method="post" className="stack">
              <EmailField
                label="Email address of the person"
                defaultValue={refusal?.typed}
                error={refusal?.inviteError}
              />
              <Button intent="invite">Invite this person</Button>
            </Form>
          </>
        )}
      </Entry>
    </Page>
  );
}
