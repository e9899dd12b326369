import { Link } from "@remix-run/react";
import type { Watch } from "#app/features/watching/resources.ts";
import { ActionButton } from "#app/ui/button.tsx";
import { Reference } from "#app/ui/name.tsx";
import { Notice } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";
import type { ClaimScreen, RecordUse } from "./claim-screen.server.ts";
import type { ProviderLabels } from "./provider-labels.ts";
import { fieldsOf, PanelFields } from "./record-fields.tsx";

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

const ADD_AGAIN = "If it should be there, add it again.";
const TROUBLES: Record<Exclude<Watch["state"], "published">, [title: string, toDo: string]> = {
  missing: ["The record is missing", ADD_AGAIN],
  lapsed: ["The record has been missing for seven days", ADD_AGAIN],
  moved: [
    "The domain has moved to other nameservers",
    "If you did not move it, ask your registrar at once who did. If you did, add the record there.",
  ],
  gone: [
    "The registry lists no nameservers for the domain",
    "Ask your registrar whether the domain has expired or is on hold.",
  ],
};

function WatchState({ watch, labels }: { watch: Watch; labels: ProviderLabels }) {
  const { state, seenAt, missingSince } = watch;
  if (state === "published" || missingSince === null)
    return (
      <p>
        Keep the TXT record: Deed checks it once a day. It was last seen on <Moment at={seenAt} />.
      </p>
    );
  const [title, toDo] = TROUBLES[state];
  return (
    <Notice tone="needs" title={title}>
      <p>
        Deed has not found the record since <Moment at={missingSince} />. It was last seen on{" "}
        <Moment at={seenAt} />. {toDo} The proof keeps its date.
      </p>
      {state === "gone" ? null : <PanelFields fields={fieldsOf(labels)} of="of the record" />}
    </Notice>
  );
}

export function RecordOfProof({ screen }: { screen: ClaimScreen }) {
  const { recordUse, archived, labels, now } = screen;
  if (recordUse === null) return null;
  const { watch, goneSince } = recordUse;
  if (watch)
    return (
      <div className="stack" id="record">
        <WatchState watch={watch} labels={labels} />
        <ActionButton intent="unwatch" busy="Stopping…" at={now}>
          Stop watching
        </ActionButton>
      </div>
    );
  return (
    <div className="stack" id="record">
      {goneSince ? (
        <p>
          The TXT record is gone: the check of <Moment at={goneSince} /> was the first without it.
          The proof keeps its date.
        </p>
      ) : (
        <>
          <p>You can delete the TXT record now. The proof keeps its date.</p>
          <StillNeeded {...recordUse} />
        </>
      )}
      {archived ? null : (
        <>
          <p>
            {goneSince ? "Or add it again" : "Or keep it"}, and Deed checks once a day that it is
            still there. The proof page then says when it was last seen, and you get a notice if it
            goes missing.
          </p>
          {goneSince ? <PanelFields fields={fieldsOf(labels)} of="of the record" /> : null}
          <ActionButton intent="watch" busy="Starting…" at={now}>
            Watch the record
          </ActionButton>
        </>
      )}
    </div>
  );
}
