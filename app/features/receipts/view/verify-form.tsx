import type { Assurance } from "@deed/receipt/statement.ts";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { Fold, Problem } from "#app/ui/page.tsx";

/** `ownKeys`: this installation's key set; `offer`: the text of the button for it; `isDone`: below a verdict, so folded. */
type VerifyFormProps = Partial<
  Record<"action" | "ownKeys", string> & Record<"offer" | "labAnchors" | "problem", string | null>
> & { isDone?: boolean };

const ACCEPTED: Record<Assurance, string> = {
  dnssec: "by DNSSEC signatures",
  witnessed: "by resolvers too, or better",
  nameservers: "by its issuer alone, or better",
};

/** check-here.ts finds its parts by `data-` names. `labAnchors`: DS records to start from in place of the root's keys. */
export function VerifyForm(form: VerifyFormProps) {
  const { action, ownKeys, offer, labAnchors, problem, isDone = false } = form;
  return (
    <form
      {...(action ? { method: "post", action, encType: "multipart/form-data" } : {})}
      className="stack"
      data-verify
      data-own={ownKeys}
    >
      <details className="stack" open={!isDone}>
        <summary>{offer ? "Choose a receipt" : "Check another receipt"}</summary>
        <div className="drop">
          <Field
            label="Drop a receipt here, or choose its file"
            name="receipt"
            type="file"
            required
          />
        </div>
        <div data-problem>
          <Problem message={problem} />
        </div>
        {labAnchors ? (
          <p>This is a demo with its own DNS. Its root key is filled in under “More options”.</p>
        ) : null}
        <Fold title="More options">
          <Field
            label="The key you expect"
            name="key"
            rows={2}
            isMachineText
            autoComplete="off"
            hint="Its thumbprint, saved earlier or got from the operator; or the key set, which also says whether the key was replaced."
          />
          <Field
            label="How it must have been checked"
            name="require"
            options={ACCEPTED}
            defaultValue="nameservers"
          />
          <Field
            label="The holder’s address"
            name="holder"
            type="email"
            autoComplete="off"
            hint="To check whether this address held the proof. You also need the ownership code."
          />
          <Field
            label="Ownership code"
            name="opening"
            isMachineText
            autoComplete="off"
            hint="The holder sees these 43 characters next to the proof, and can give them to you."
          />
          <Field
            label="Root keys of another DNS"
            name="anchors"
            rows={2}
            isMachineText
            {...(labAnchors ? { defaultValue: labAnchors } : {})}
            hint="Only for a DNS of your own, such as a lab’s: its DS records, one on each line."
          />
        </Fold>
        <div className="row">
          <Button kind="primary">Check it</Button>
          {offer ? <Button intent="own">{offer}</Button> : null}
        </div>
        <p className="hint" data-where>
          {action
            ? "Without JavaScript, the file is sent to this installation, which checks it for you."
            : "This page needs JavaScript."}
        </p>
      </details>
    </form>
  );
}
