import { Link } from "@remix-run/react";
import type { Watch } from "#app/services/resources.ts";
import type { ClaimScreen } from "#app/services/screens/claim-screen.server.ts";
import type { RecordUse } from "#app/services/screens/record-use.server.ts";
import { ActionButton } from "../ui/button.tsx";
import { Reference } from "../ui/name.tsx";
import { Notice } from "../ui/notice.tsx";
import { Moment } from "../ui/time.tsx";

/** Values at the same name that other claims of the account still need. */
function StillNeeded({ others, hasMore }: Pick<RecordUse, "others" | "hasMore">) {
  if (others.length === 0) return null;
  const isOne = others.length === 1;
  return (
    <Notice
      tone="waiting"
      title={isOne ? "Keep the other value at this name" : "Keep the other values at this name"}
    >
      <ul className="plain stack">
        {others.map(({ claimId, isOpen, value, reference }) => (
          <li key={claimId}>
            <code>{value}</code> <Reference reference={reference} />
            <div>
              {isOpen ? "Your open claim needs it. " : "Deed watches it. "}
              <Link to={`/claims/${claimId}`}>See that claim</Link>
            </div>
          </li>
        ))}
      </ul>
      {hasMore ? <p>More claims of yours have values there.</p> : null}
    </Notice>
  );
}

function Deletable({ use }: { use: RecordUse }) {
  const { goneSince } = use;
  return (
    <>
      {goneSince ? (
        <p>
          The TXT record is gone: the check of <Moment at={goneSince} /> was the first without it.
          The proof keeps its date.
        </p>
      ) : (
        <p>You can delete the TXT record now. The proof keeps its date.</p>
      )}
      {goneSince ? null : <StillNeeded {...use} />}
    </>
  );
}

const WHY: Partial<Record<Watch["state"], string>> = {
  moved: "All nameservers of the domain are others than then.",
  gone: "The registry does not list nameservers for the domain.",
};

/** What daily checks of a watched record show. */
function WatchState({ watch: { state, seenAt, missingSince } }: { watch: Watch }) {
  if (missingSince === null)
    return (
      <p>
        Keep the TXT record: Deed checks it once a day. It was last seen on <Moment at={seenAt} />.
      </p>
    );
  return (
    <Notice tone="needs" title="The record is missing">
      <p>
        Deed has not found it since <Moment at={missingSince} />. It was last seen on{" "}
        <Moment at={seenAt} />. {WHY[state] ?? "If it should be there, add it again."} The proof
        keeps its date.
      </p>
    </Notice>
  );
}

/** Whether the record of a proof is still needed, and the switch that keeps it watched. */
export function RecordOfProof({ screen }: { screen: ClaimScreen }) {
  const { recordUse, archived, now } = screen;
  if (recordUse === null) return null;
  const { watch } = recordUse;
  if (watch)
    return (
      <div className="stack" id="record">
        <WatchState watch={watch} />
        <ActionButton intent="unwatch" busy="Stopping…" at={now}>
          Stop watching
        </ActionButton>
      </div>
    );
  return (
    <div className="stack" id="record">
      <Deletable use={recordUse} />
      {archived ? null : (
        <>
          <p>
            {recordUse.goneSince ? "Or add it again" : "Or keep it"}, and Deed checks once a day
            that it is still there. The proof page then says when it was last seen, and you get a
            notice if it goes missing.
          </p>
          <ActionButton intent="watch" busy="Starting…" at={now}>
            Watch the record
          </ActionButton>
        </>
      )}
    </div>
  );
}
