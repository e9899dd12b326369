import type { Handoff } from "#app/services/resources.ts";
import { ActionButton } from "../ui/button.tsx";
import { Value } from "../ui/copy.tsx";
import { Entry } from "../ui/page.tsx";
import { Moment } from "../ui/time.tsx";

/** For the account holder: a page to share with the person who edits the zone, and a way to revoke it. */
export function HandoffEntry({
  handoff,
  heldBy,
}: {
  handoff: Handoff | null;
  /** The account's address as the page shows it. */
  heldBy: string;
}) {
  return (
    <Entry title="Hand it over" id="handoff">
      {handoff ? (
        <>
          <p>
            Send this link to whoever edits the zone. It needs no account and opens this claim's
            record and its reads, nothing else of yours.
          </p>
          <Value text={handoff.url} what="the link" />
          <div className="row">
            <a href={`/h/${handoff.slug}`} className="button">
              Open that page
            </a>
            <ActionButton intent="take-back" kind="danger" busy="Taking back…">
              Take the link back
            </ActionButton>
          </div>
          <p className="soft">
            Made on <Moment at={handoff.createdAt} />. It ends with this claim, on{" "}
            <Moment at={handoff.expiresAt} form="day" /> at the latest.
          </p>
        </>
      ) : (
        <>
          <p>
            Somebody else edits the zone? Give them a page with the record, how it stands and a
            button to check it. It needs no account, shows your address as <bdi>{heldBy}</bdi>, and
            ends with this claim.
          </p>
          <ActionButton intent="hand-over" busy="Making the page…">
            Hand this to whoever edits the zone
          </ActionButton>
        </>
      )}
    </Entry>
  );
}
