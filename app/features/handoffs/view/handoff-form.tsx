import type { ClaimActionResult } from "#app/features/claim-page/action-result.ts";
import type { ClaimScreen } from "#app/features/claim-page/claim-screen.server.ts";
import { Form } from "#app/remix/react.ts";
import { ActionButton, Button } from "#app/ui/button.tsx";
import { Value } from "#app/ui/copy.tsx";
import { Choice, EmailField, Field } from "#app/ui/field.tsx";
import { Fold, Problem } from "#app/ui/page.tsx";
import { type Qr, QrCode } from "#app/ui/qr-code.tsx";
import { Moment } from "#app/ui/time.tsx";
import type { Handoff } from "../resources.ts";

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
    hint: "The page says that you chose it.",
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

type HandoffFoldProps = {
  /** `shared`: the live page, if any; `you`: who is signed in; `mailed`: the masked address to which a mail was just requested. */
  handoff: { shared: Handoff | null; qr: Qr | null; you: string; mailed: string | null };
  screen: ClaimScreen;
  result: ClaimActionResult;
};

function MailForm({ handoff: { you, shared }, screen: { now: at }, result }: HandoffFoldProps) {
  const typed = result.shared?.email;
  return (
    <Form method="post" className="stack" replace preventScrollReset>
      <input type="hidden" name="at" value={at} />
      {shared ? null : <h3>Have Deed email a link</h3>}
      <p>
        It leads to a page with the record and a button to check it. The email shows the domain and
        your address, <bdi>{you}</bdi>.
        {shared ? null : " The page shows the account’s first address in full."}
      </p>
      <EmailField
        label="Email address of the person who manages DNS"
        defaultValue={typed}
        error={typed ? result.problem?.message : null}
        hint="Each address gets at most one of these emails a day."
      />
      <Button intent="mail">Email the link</Button>
    </Form>
  );
}

const SharedPage = ({ shared, qr, at }: { shared: Handoff; qr: Qr | null; at: string }) => (
  <>
    <Value text={shared.url} what="the link" />
    <div className="row sans">
      <a href={`/h/${shared.slug}`}>Preview</a>{" "}
      <ActionButton intent="take-back" kind="linkish" busy="Revoking…" at={at}>
        Revoke hand-off link
      </ActionButton>
    </div>
    <p className="soft small sans">
      It needs no account. It shows this record and its checks, the account’s first address, whole
      or masked, and what you customized. It ends with this claim, on{" "}
      <Moment at={shared.expiresAt} form="day" /> at the latest.
    </p>
    {qr ? (
      <Fold title="Open it on a phone">
        <QrCode qr={qr} what="the link" />
      </Fold>
    ) : null}
  </>
);

export function HandoffFold(fold: HandoffFoldProps) {
  const { handoff, screen, result } = fold;
  const { heldBy, now: at } = screen;
  const { shared, mailed } = handoff;
  const typed = result.shared?.email ? null : result.shared;
  const { code, message, param } = (typed && result.problem) ?? {};
  const wrong = code === "origin_not_registered" ? "returnUrl" : param;
  const isOfField = OWN_WORDS.some(({ name }) => name === wrong);
  return (
    <Fold
      title="Someone else manages DNS"
      id="handoff"
      open={shared !== null || mailed !== null || Boolean(result.shared)}
    >
      {mailed === null ? null : (
        <p role="status">
          You asked Deed to email <bdi>{mailed}</bdi>. An address gets one such email a day, and
          none once it has opted out. If none arrives, send this link.
        </p>
      )}
      {shared ? (
        <>
          {mailed === null ? <p>Send this link to whoever manages DNS.</p> : null}
          <SharedPage shared={shared} qr={handoff.qr} at={at} />
          <Fold
            title={mailed === null ? "Have Deed email it" : "Email somebody else"}
            open={Boolean(result.shared?.email)}
          >
            <MailForm {...fold} />
          </Fold>
        </>
      ) : (
        <div className="stack-wide">
          <MailForm {...fold} />
          <Form method="post" className="stack" replace preventScrollReset>
            <input type="hidden" name="at" value={at} />
            <h3>Or send a link yourself</h3>
            <p>The page is the same and needs no account, but you choose what it shows.</p>
            <Problem message={isOfField ? null : message} />
            <fieldset>
              <Choice name="hideAddress">
                Show only <bdi>{heldBy}</bdi> on the page, not the whole address
              </Choice>
            </fieldset>
            <Fold title="Customize the page (optional)" open={Boolean(typed)}>
              {OWN_WORDS.map((field) => (
                <Field
                  key={field.name}
                  {...field}
                  defaultValue={typed?.[field.name]}
                  error={field.name === wrong ? message : null}
                  autoComplete="off"
                />
              ))}
            </Fold>
            <Button intent="hand-over">Create link</Button>
          </Form>
        </div>
      )}
    </Fold>
  );
}
