import { Form } from "@remix-run/react";
import type { SharedPage } from "#app/services/handoffs/handoffs.server.ts";
import { ActionButton, Button } from "../ui/button.tsx";
import { Value } from "../ui/copy.tsx";
import { Moment } from "../ui/time.tsx";

/** For the account holder: a page to share with the person who manages the DNS, and a way to revoke it. */
export function HandoffForm({
  handoff,
  heldBy,
  at,
}: {
  handoff: SharedPage | null;
  /** The account's address as the page shows it. */
  heldBy: string;
  /** When the page was served. */
  at: string;
}) {
  if (handoff === null)
    return (
      <>
        <p>
          Does somebody else manage the DNS? Make a page for them, with the record and a button to
          check it. It needs no account and ends with this claim.
        </p>
        <Form method="post" className="stack" replace preventScrollReset>
          <input type="hidden" name="at" value={at} />
          <p>
            <label>
              <input type="checkbox" name="showAddress" /> Show my address in full, so that they
              know who asks. Without it they see <bdi>{heldBy}</bdi>.
            </label>
          </p>
          <Button intent="hand-over">Make the page</Button>
        </Form>
      </>
    );
  return (
    <>
      <p>
        Send this link to the person who manages the DNS. It needs no account and shows this record
        and its checks, nothing else of yours.
      </p>
      <Value text={handoff.url} what="the link" />
      <div className="row">
        <a href={`/h/${handoff.slug}`} className="button">
          Open that page
        </a>{" "}
        <ActionButton intent="take-back" kind="danger" busy="Taking back…" at={at}>
          Take the link back
        </ActionButton>
      </div>
      <p className="soft">
        Made on <Moment at={handoff.createdAt} />. It ends with this claim, on{" "}
        <Moment at={handoff.expiresAt} form="day" /> at the latest. It shows{" "}
        {handoff.showAddress ? (
          "your address in full"
        ) : (
          <>
            your address as <bdi>{heldBy}</bdi>
          </>
        )}
        .
      </p>
    </>
  );
}
