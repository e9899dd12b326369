import { Form } from "@remix-run/react";
import type { ClaimActionResult, TypedHandoff } from "#app/features/claims/view/action-result.ts";
import type { SharedPage } from "#app/features/handoffs/handoffs.server.ts";
import { ActionButton, Button } from "#app/ui/button.tsx";
import { Value } from "#app/ui/copy.tsx";
import { Field } from "#app/ui/field.tsx";
import { Fold, Problem } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";

function OwnWords({ typed }: { typed: TypedHandoff | null }) {
  return (
    <Fold title="Your own heading, and a way back" open={typed !== null}>
      <Field
        label="Heading"
        name="title"
        hint="Such as: Connect your domain to Acme."
        defaultValue={typed?.title}
        autoComplete="off"
        maxLength={100}
      />
      <Field
        label="Requested for"
        name="requestedFor"
        hint="Your customer, as they call themselves. The page says that these words are yours."
        defaultValue={typed?.requestedFor}
        autoComplete="off"
        maxLength={100}
      />
      <Field
        label="Back to"
        name="returnUrl"
        isMachineText
        inputMode="url"
        hint="A page of your application, on a domain that you have proved here or below one."
        defaultValue={typed?.returnUrl}
        placeholder="https://app.example.com/domains?state=…"
        autoComplete="off"
        maxLength={1000}
      />
    </Fold>
  );
}

type HandoffFormProps = {
  /** The account's address as the page shows it. */
  heldBy: string;
  typed: TypedHandoff | null;
  problem: string | null;
  at: string;
};

function HandoffForm({ heldBy, typed, problem, at }: HandoffFormProps) {
  return (
    <>
      <p>
        Does somebody else manage the DNS? Make a page for them, with the record and a button to
        check it. It needs no account and ends with this claim.
      </p>
      <Form method="post" className="stack" replace preventScrollReset>
        <input type="hidden" name="at" value={at} />
        <Problem message={problem} />
        <p>
          <label>
            <input type="checkbox" name="showAddress" /> Show my address in full, so that they know
            who asks. Without it they see <bdi>{heldBy}</bdi>.
          </label>
        </p>
        <OwnWords typed={typed} />
        <Button intent="hand-over">Make the page</Button>
      </Form>
    </>
  );
}

function Shown({ handoff, heldBy }: { handoff: SharedPage; heldBy: string }) {
  const { showAddress, title, requestedFor, back } = handoff;
  return (
    <>
      It shows{" "}
      {showAddress ? (
        "your address in full"
      ) : (
        <>
          your address as <bdi>{heldBy}</bdi>
        </>
      )}
      {title === null ? null : (
        <>
          , under the heading “<bdi>{title}</bdi>”
        </>
      )}
      {requestedFor === null ? null : (
        <>
          , for “<bdi>{requestedFor}</bdi>”
        </>
      )}
      .
      {back === null ? null : (
        <>
          {" "}
          It leads back to <bdi className="mono">{back.host}</bdi>
          {back.isAllowed ? "." : " once you have a proof of that again."}
        </>
      )}
    </>
  );
}

function SharedLink({ handoff, heldBy, at }: { handoff: SharedPage; heldBy: string; at: string }) {
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
        <Moment at={handoff.expiresAt} form="day" /> at the latest.{" "}
        <Shown handoff={handoff} heldBy={heldBy} />
      </p>
    </>
  );
}

type HandoffFoldProps = {
  handoff: SharedPage | null;
  heldBy: string;
  result: ClaimActionResult;
  at: string;
};

export function HandoffFold({ handoff, heldBy, result, at }: HandoffFoldProps) {
  const typed = result.shared;
  return (
    <Fold title="Share with your DNS admin" id="handoff" open={handoff !== null || typed !== null}>
      {handoff ? (
        <SharedLink handoff={handoff} heldBy={heldBy} at={at} />
      ) : (
        <HandoffForm
          heldBy={heldBy}
          typed={typed}
          problem={typed && (result.problem?.message ?? null)}
          at={at}
        />
      )}
    </Fold>
  );
}
