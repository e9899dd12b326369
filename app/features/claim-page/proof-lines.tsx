import { claimPath } from "#app/core/names/prove-path.ts";
import type { Watch } from "#app/features/claims/watch.ts";
import { HowChecked } from "#app/features/proofs/view/proof.tsx";
import type { RecordUse } from "#app/features/watching/watch-rows.server.ts";
import { Link } from "#app/remix/react.ts";
import { ActionButton } from "#app/ui/button.tsx";
import { Reference } from "#app/ui/name.tsx";
import { Facts, Fold, Notice } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";
import type { ClaimScreen } from "./claim-screen.server.ts";
import { PanelFields } from "./record-fields.tsx";

function StillNeeded({ others, hasMore }: Pick<RecordUse, "others" | "hasMore">) {
  if (others.length === 0) return null;
  const isOne = others.length === 1;
  return (
    <Notice
      tone="waiting"
      title={isOne ? "Keep the other value at this name" : "Keep the other values at this name"}
    >
      <ul className="plain stack">
        {others.map(({ claimId, domainId, isOpen, value, reference }) => (
          <li key={claimId}>
            <code>{value}</code> <Reference reference={reference} />
            <div>
              {isOpen ? "Your open claim needs it. " : "Deed watches it. "}
              <Link to={claimPath(domainId, claimId)}>See that claim</Link>
            </div>
          </li>
        ))}
      </ul>
      {hasMore ? <p>More claims of yours have values there.</p> : null}
    </Notice>
  );
}

/** Whether the record is still looked for, and what was seen last. */
function RecordLine({ screen: { claim, recordUse, archived, now } }: { screen: ClaimScreen }) {
  const { watch, fate, goneSince } = recordUse;
  const fields = { claim: claim.id };
  if (watch)
    return (
      <div className="row">
        <span>
          Watched,{" "}
          {watch.missingSince ? (
            <>
              missing since <Moment at={watch.missingSince} />
            </>
          ) : (
            <>
              seen <Moment at={watch.seenAt} now={now} form="ago" />
            </>
          )}
          . {fate}
        </span>{" "}
        <ActionButton intent="unwatch" kind="linkish" busy="Stopping…" fields={fields} at={now}>
          Stop watching
        </ActionButton>
      </div>
    );
  return (
    <div className="row">
      <span>
        Not watched
        {goneSince ? (
          <>
            , gone since <Moment at={goneSince} />
          </>
        ) : null}
        . {fate}
        {archived ? null : (
          <>
            {" "}
            {goneSince ? "Or add it again" : "Or keep it"}, and Deed looks for it every day and
            tells you if it is missing.
          </>
        )}
      </span>{" "}
      {archived ? null : (
        <ActionButton intent="watch" kind="linkish" busy="Starting…" fields={fields} at={now}>
          Watch the record
        </ActionButton>
      )}
    </div>
  );
}

const UNDATED: Record<NonNullable<Watch["registration"]> | "unasked", string> = {
  registered: "no end given by the registry",
  registered_again: "no end given by the registry",
  not_said: "not known: its registry does not say",
  no_rdap: "not known: Deed cannot ask its registry (over RDAP)",
  unasked: "not asked yet",
};

function RegistrationLine({ watch }: { watch: Watch | null }) {
  if (!watch) return "not known: its registry is asked while the record is watched";
  const { registrationExpiresAt, registeredAt, registryAskedAt, registration } = watch;
  return (
    <>
      {registrationExpiresAt ? (
        <>
          until <Moment at={registrationExpiresAt} form="day" />, unless it renews by itself
        </>
      ) : (
        UNDATED[registration ?? "unasked"]
      )}
      {registeredAt && registryAskedAt ? (
        <>
          ; registered on <Moment at={registeredAt} form="day" />, said the registry on{" "}
          <Moment at={registryAskedAt} form="day" />
        </>
      ) : null}
    </>
  );
}

/** What a proof rests on: how it was made, whether its record is still there, until when the domain is registered. */
export function ProofLines({ screen }: { screen: ClaimScreen }) {
  const { claim, receipt, recordUse, labels, now } = screen;
  const { watch, goneSince, trouble } = recordUse;
  const mayAdd = watch !== null && ["missing", "lapsed", "moved"].includes(watch.state);
  return (
    <>
      <Facts
        rows={[
          [
            "Proved",
            <>
              <Moment at={claim.endedAt ?? now} />. {trouble ? "The proof keeps its date. " : null}
              {receipt ? <HowChecked assurance={receipt.assurance} /> : null}
            </>,
          ],
          ["Record", <RecordLine key="record" screen={screen} />],
          ["Registration", <RegistrationLine key="registration" watch={watch} />],
        ]}
      />
      {watch ? null : <StillNeeded {...recordUse} />}
      {mayAdd || goneSince ? (
        <Fold title="The record" open={mayAdd}>
          <PanelFields labels={labels} />
        </Fold>
      ) : null}
    </>
  );
}
