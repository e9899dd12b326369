import { Link } from "@remix-run/react";
import { Fragment } from "react";
import type { AccountLogEntry } from "#app/services/accounts/account-events.server.ts";
import { DomainName } from "../ui/name.tsx";
import { Table } from "../ui/table.tsx";
import { Moment } from "../ui/time.tsx";
import { browserText } from "./session-list.tsx";

const SENTENCES: Record<AccountLogEntry["kind"], string> = {
  signed_in_by_link: "Signed in by the link of a mail",
  signed_in_by_code: "Signed in by the code of a mail",
  signed_in_by_provider: "Signed in at the identity provider",
  code_refused: "Wrong code typed",
  signed_out: "Signed out",
  session_ended: "Session ended from this page",
  signed_out_everywhere: "Signed out everywhere",
  proof_link_issued: "Proof published",
  proof_link_revoked: "Link to a proof taken back",
  handoff_issued: "Hand-off link made",
  handoff_revoked: "Hand-off link taken back",
  mails_switched_on: "Notice mails switched on",
  mails_switched_off: "Notice mails switched off",
  identity_joined: "Identity provider joined to the account",
  person_invited: "Invited",
  invitation_withdrawn: "Invitation taken back",
  invitation_declined: "Invitation declined",
  person_joined: "Invitation accepted",
  person_removed: "Removed",
  person_left: "Left",
  account_disabled: "Account disabled by whoever runs this installation",
  account_enabled: "Account enabled again",
};

/** The account's security events, newest first. Names the person unless it is `you`. */
export function AccountLog({ events, you }: { events: AccountLogEntry[]; you: string }) {
  return events.length === 0 ? (
    <p>Nothing yet.</p>
  ) : (
    <Table
      head={["What", "When"]}
      rows={events.map(({ id, kind, email, userAgent, domain, at }) => ({
        key: id,
        cells: [
          <Fragment key="what">
            {SENTENCES[kind]}
            {email && email !== you ? (
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
              </>
            ) : null}
          </Fragment>,
          <Moment key="when" at={at} />,
        ],
      }))}
    />
  );
}
