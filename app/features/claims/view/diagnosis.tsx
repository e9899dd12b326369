import { Link } from "@remix-run/react";
import type { ExplainedDiagnosis, Registry } from "#app/core/resources.ts";
import { DnsText } from "#app/ui/dns-text.tsx";
import { Moment } from "#app/ui/time.tsx";
import { comparisonOf, type ExpectedRecord } from "./comparison.tsx";
import { DiagnosisFacts } from "./diagnosis-facts.tsx";
import { type FieldValue, PanelFields } from "./record-fields.tsx";

const AWAITS: Record<ExplainedDiagnosis["awaits"], string | null> = {
  claimant: null,
  provider: "Your DNS provider has to fix this.",
  registrar: "The registrar of the domain has to fix this.",
  resolvers: "There is nothing for you to do: it only takes time.",
};

/** Who must act. Not the DNS provider if this machine merely lacks IPv6. */
const responsibleText = (diagnosis: ExplainedDiagnosis): string | null =>
  diagnosis.code === "lame_delegation" &&
  diagnosis.observed.nameservers.some(({ result }) => result === "ipv6_only") &&
  diagnosis.observed.nameservers.every(({ result }) => result === "ipv6_only")
    ? "The operator of this service has to fix this."
    : AWAITS[diagnosis.awaits];

/** The one thing to do. Values to paste get a field each instead of ending the sentence. */
function Fix({ text, pastes }: { text: string; pastes: FieldValue[] }) {
  const tail = `: ${pastes.at(-1)?.value ?? ""}`;
  const isSplit = pastes.length > 0 && text.endsWith(tail);
  return (
    <>
      <p className="fix">
        <DnsText text={isSplit ? `${text.slice(0, -tail.length)}:` : text} />
      </p>
      {pastes.length > 0 ? <PanelFields fields={pastes} /> : null}
    </>
  );
}

/** How the registry explains the diagnosis, and as of when. */
function RegistrySays({ registry }: { registry: Registry | null }) {
  if (!registry?.cause) return null;
  return (
    <p data-registry="">
      <DnsText text={registry.cause} />{" "}
      <span className="soft small sans">
        The registry, on <Moment at={registry.askedAt} />.
      </span>
    </p>
  );
}

type Explained = {
  diagnosis: ExplainedDiagnosis;
  record: ExpectedRecord;
  /** The values to paste, and the fields they go into. */
  pastes: FieldValue[];
};

/** A diagnosis in a card: found against expected, or the cause where nothing compares, and the one thing to do. */
export function DiagnosisFix({
  diagnosis,
  registry,
  record,
  pastes,
}: Explained & { registry: Registry | null }) {
  return (
    <>
      {comparisonOf(diagnosis, record) ?? (
        <p>
          <DnsText text={diagnosis.cause} />
        </p>
      )}
      <RegistrySays registry={registry} />
      {registry?.fix ? (
        <Fix text={registry.fix} pastes={[]} />
      ) : (
        <Fix text={diagnosis.fix} pastes={pastes} />
      )}
    </>
  );
}

/** What a diagnosis rests on, and who has to act. */
export function DiagnosisDetails({ diagnosis }: Pick<Explained, "diagnosis">) {
  const responsible = responsibleText(diagnosis);
  return (
    <>
      <p>
        <DnsText text={diagnosis.cause} />
      </p>
      <DiagnosisFacts diagnosis={diagnosis} />
      {responsible ? <p>{responsible}</p> : null}
      <p>
        <Link to={`/docs/diagnoses/${diagnosis.code}`}>How to see it and how to fix it</Link>
      </p>
    </>
  );
}
