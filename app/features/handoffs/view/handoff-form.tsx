import { Form } from "@remix-run/react";
import type { ClaimActionResult } from "#app/features/claims/view/action-result.ts";
import type { ClaimScreen } from "#app/features/claims/view/claim-screen.server.ts";
import { ActionButton, Button } from "#app/ui/button.tsx";
import { Value } from "#app/ui/copy.tsx";
import { Field } from "#app/ui/field.tsx";
import { Fold, Problem } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";
import type { SharedPage } from "../handoffs.server.ts";

const OWN_WORDS = [
  {
    name: "title",
    label: "Heading",
    hint: "Such as: Connect your domain to Acme.",
    maxLength: 100,
  },
  {
    name: "requestedFor",
    label: "Customer name",
    hint: "Shown as provided by you.",
    maxLength: 100,
  },
  {
    name: "returnUrl",
    label: "Back to",
    hint: "A page of your application, on a domain that you have proved here or below one.",
    isMachineText: true,
    inputMode: "url",
    placeholder: "https://app.example.com/domains?state=…",
    maxLength: 1000,
  },
] as const;

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

/** `handoff`: the page that was shared, null if none is. */
type HandoffFoldProps = {
  handoff: SharedPage | null;
  screen: ClaimScreen;
  result: ClaimActionResult;
};

/** For the account holder: sharing an open claim with the person who manages the DNS. */
export function HandoffFold({ handoff, screen, result }: HandoffFoldProps) {
  const { heldBy, now: at } = screen;
  const typed = result.shared;
  const title = "Someone else manages DNS";
  if (handoff)
    return (
      <Fold title={title} id="handoff" open>
        <p>
          Send this link to the person who manages the DNS. It needs no account and shows this
          record and its checks, nothing else of yours.
        </p>
        <Value text={handoff.url} what="the link" />
        <div className="row">
          <a href={`/h/${handoff.slug}`} className="button">
            Preview
          </a>{" "}
          <ActionButton intent="take-back" kind="danger" busy="Revoking…" at={at}>
            Revoke link
          </ActionButton>
        </div>
        <p className="soft">
          Created <Moment at={handoff.createdAt} />. It ends with this claim, on{" "}
          <Moment at={handoff.expiresAt} form="day" /> at the latest.{" "}
          <Shown handoff={handoff} heldBy={heldBy} />
        </p>
      </Fold>
    );
  return (
    <Fold title={title} id="handoff" open={typed !== null}>
      <p>
        Does somebody else manage the DNS? Make a page for them, with the record and a button to
        check it. It needs no account and ends with this claim.
      </p>
      <Form method="post" className="stack" replace preventScrollReset>
        <input type="hidden" name="at" value={at} />
        <Problem message={typed && result.problem?.message} />
        <p>
          <label>
            <input type="checkbox" name="hideAddress" /> Hide my full address: they see{" "}
            <bdi>{heldBy}</bdi>, and may not know who asks.
          </label>
        </p>
        <Fold title="Customise this page" open={typed !== null}>
          {OWN_WORDS.map((field) => (
            <Field
              key={field.name}
              {...field}
              defaultValue={typed?.[field.name]}
              autoComplete="off"
            />
          ))}
        </Fold>
        <Button intent="hand-over">Make the page</Button>
      </Form>
    </Fold>
  );
}
