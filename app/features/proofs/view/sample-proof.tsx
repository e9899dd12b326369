import { Seal } from "#app/ui/frame.tsx";
import { Dotted } from "#app/ui/name.tsx";
import { Facts } from "#app/ui/page.tsx";
import { ProofSentence } from "./proof.tsx";

const SAMPLE = {
  provedAt: "2026-03-12T14:03:22.000Z",
  heldBy: "m•••@acme.com",
  domain: "acme.com",
  unicodeDomain: "acme.com",
};

export const SampleProof = ({ label }: { label: string }) => (
  <aside className="deed sample" aria-label="Example of a proof">
    <div className="kicker">
      <span className="row">
        <Seal /> Proof of control
      </span>{" "}
      <span>Example</span>
    </div>
    <p className="sentence">
      <ProofSentence proof={SAMPLE} />
    </p>
    <Facts
      rows={[
        [
          "TXT record",
          <code key="record">
            <Dotted name={`${label}.acme.com`} />
          </code>,
        ],
        ["Checked", "2 of 2 nameservers"],
      ]}
    />
  </aside>
);
