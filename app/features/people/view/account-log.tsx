import type { AccountLogEntry } from "#app/core/accounts/accounts.server.ts";
import { browserText } from "#app/features/sign-in/view/session-list.tsx";
import { Link } from "#app/remix/react.ts";
import { DomainName, Reference } from "#app/ui/name.tsx";
import { Table } from "#app/ui/table.tsx";
import { Moment } from "#app/ui/time.tsx";

const SENTENCES: Record<AccountLogEntry["kind"], string> = {
  signed_in_by_link: "Signed in with an emailed link",
  signed_in_by_code: "Signed in with an emailed code",
  signed_in_by_provider: "Signed in through the identity provider",
  code_refused: "Wrong code entered",
  signed_out: "Signed out",
  session_ended: "Signed out another browser",
  signed_out_everywhere: "Signed out everywhere",
  proof_link_issued: "Proof link published",
  proof_link_revoked: "Proof link revoked",
  handoff_issued: "Hand-off link created",
  handoff_revoked: "Hand-off link revoked",
  mails_switched_on: "Email notices turned on",
  mails_switched_off: "Email notices turned off",
  identity_joined: "Identity provider connected",
  person_invited: "Invited",
  invitation_withdrawn: "Invitation withdrawn",
  invitation_declined: "Invitation declined",
  person_joined: "Invitation accepted",
  person_removed: "Removed",
  person_left: "Left",
  account_disabled: "Account disabled by the operator",
  account_enabled: "Account enabled again",
  key_created: "API key created",
  key_rotated: "API key rotated",
  key_revoked: "API key revoked",
  webhook_added: "Webhook added",
  webhook_changed: "Webhook changed",
  webhook_rotated: "Webhook secret rotated",
  webhook_removed: "Webhook deleted",
};

/** Security events, newest first. `alone`: the address of whoever is alone in the account, and so need not be named. */
export function AccountLog({ events, alone }: { events: AccountLogEntry[]; alone: string | null }) {
  return (
    <Table
      rows={events}
      none={<p>Nothing yet.</p>}
      columns={{
        What: ({ kind, email, userAgent, domain, subject }) => (
          <>
            {SENTENCES[kind]}
            {subject ? (
              <>
                {" "}
                “<bdi>{subject}</bdi>”
              </>
            ) : null}
            {email && email !== alone ? (
              <>
                : <bdi>{email}</bdi>
              </>
            ) : null}
            {userAgent ? (
              <span className="soft" title={userAgent}>
                {" "}
                ({browserText(userAgent)})
              </span>
            ) : null}
            {domain ? (
              <>
                :{" "}
                <Link to={`/domains/${domain.id}`}>
                  <DomainName ascii={domain.name} unicode={domain.unicodeName} />
                </Link>
                <Reference reference={domain.reference} />
              </>
            ) : null}
          </>
        ),
        When: ({ at }) => <Moment at={at} />,
      }}
    />
  );
}
