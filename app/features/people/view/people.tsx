import type { Creations } from "#app/features/people/people.server.ts";
import type { Invitation, PeopleList } from "#app/features/people/resources.ts";
import { Link } from "#app/remix/react.ts";
import { ActionButton } from "#app/ui/button.tsx";
import { Choice } from "#app/ui/field.tsx";
import { Dotted } from "#app/ui/name.tsx";
import { Table } from "#app/ui/table.tsx";
import { LastSeen, Moment } from "#app/ui/time.tsx";

export function PeopleTable({ people, now }: { people: PeopleList["people"]; now: string }) {
  return (
    <Table
      rows={people}
      columns={{
        Address: ({ email, isYou, isFirst }) => (
          <span>
            <bdi>
              <Dotted name={email} />
            </bdi>
            {isYou ? <span className="soft"> (you)</span> : null}
            {isFirst ? <span className="soft">, first address</span> : null}
          </span>
        ),
        Since: ({ createdAt }) => <Moment at={createdAt} form="day" />,
        "Last seen": ({ lastSeenAt }) => <LastSeen at={lastSeenAt} now={now} />,
        ...(people.length > 1 && {
          "": ({ id, email, isFirst, isYou }: PeopleList["people"][number]) =>
            isFirst ? null : (
              <Link to={`/account/people/${id}`}>
                {isYou ? "Leave…" : "Remove…"}
                <span className="unseen"> {email}</span>
              </Link>
            ),
        }),
      }}
    />
  );
}

export function InvitationTable({ invitations }: { invitations: Invitation[] }) {
  return (
    <Table
      rows={invitations}
      columns={{
        Invited: ({ email, invitedBy }) => (
          <span>
            <bdi>
              <Dotted name={email} />
            </bdi>
            <span className="soft">
              {" "}
              by <bdi>{invitedBy}</bdi>
            </span>
          </span>
        ),
        "Open until": ({ expiresAt }) => <Moment at={expiresAt} form="day" />,
        "": ({ id, email }) => (
          <ActionButton intent="withdraw" fields={{ id }} kind="linkish">
            Withdraw<span className="unseen"> the invitation for {email}</span>
          </ActionButton>
        ),
      }}
    />
  );
}

export function TakeOver({ keys, webhooks }: Creations) {
  const items = [
    ...keys.map(({ id, name }) => ({ id, kind: "API key", name })),
    ...webhooks.map(({ id, url }) => ({ id, kind: "Webhook", name: url })),
  ];
  return items.length === 0 ? null : (
    <fieldset className="stack">
      <legend className="label">Take over</legend>
      <p>
        This person created these. Tick those to keep: they become yours, and you get a new{" "}
        {[keys[0] && "key", webhooks[0] && "secret (not for chats)"].filter(Boolean).join(" or ")},
        which is shown once. {keys[0] ? "Keys that you do not tick are revoked. " : null}
        {webhooks[0] ? "Webhooks that you do not tick are disabled. " : null}
        {keys[0] ? "The keys that this person knows stop working at once either way." : null}
      </p>
      <ul className="plain">
        {items.map(({ id, kind, name }) => (
          <li key={id}>
            <Choice name="keep" value={id}>
              {kind} <bdi className="mono">{name}</bdi>
            </Choice>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
