import type { Lookalike } from "#app/services/names/lookalike.ts";
import type { AddressVouching } from "#app/services/proofs/address-vouching.server.ts";
import type { ProofWitness } from "#app/services/proofs/proofs.server.ts";
import type { PublishedProof } from "#app/services/resources.ts";
import type { ProofScreen } from "#app/services/screens/proof-screen.server.ts";
import { DomainName } from "../ui/name.tsx";
import { Notice } from "../ui/notice.tsx";
import { Facts } from "../ui/page.tsx";
import { Seal } from "../ui/seal.tsx";
import { StateWord } from "../ui/state.tsx";
import { Moment } from "../ui/time.tsx";
import { providerName } from "../zone/zone.tsx";

/** What the zone's nameservers answered; null if that is no longer known. */
function nameserversText({ nameservers }: PublishedProof): string | null {
  if (nameservers === null) return null;
  const { delegated, answered, holding } = nameservers;
  const held = `on ${holding} of ${delegated} nameservers of the zone`;
  return answered === delegated ? held : `${held} (only ${answered} answered)`;
}

function resolversText({ witnesses, witnessesWithToken, authenticated }: ProofWitness): string {
  const seen =
    witnesses > 0
      ? `seen by ${witnessesWithToken} of ${witnesses} independent resolvers`
      : "no independent resolvers were asked";
  return authenticated ? `${seen}, the zone's DNSSEC signatures valid` : seen;
}

const evidenceText = (proof: PublishedProof, witness: ProofWitness | null): string =>
  [
    "the token below stood in this TXT record",
    nameserversText(proof),
    witness && resolversText(witness),
  ]
    .filter((part) => part !== null)
    .join(", ");

const vouchingText = (vouching: AddressVouching | null): string =>
  vouching?.by === "provider"
    ? `the identity provider ${vouching.host} vouched for it.`
    : "Deed sent mail to it and was answered.";

/** The record's full name: `challengeHost` may be only its label. */
const recordName = ({ challengeHost, domain }: PublishedProof): string =>
  challengeHost.endsWith(`.${domain}`) ? challengeHost : `${challengeHost}.${domain}`;

/** Why a name may be mistaken for another, and how they differ. */
function LookalikeWarning({ lookalike, ascii }: { lookalike: Lookalike; ascii: string }) {
  return (
    <Notice tone="needs" title="Look twice at this name">
      <p>
        {lookalike.type === "mixed_scripts" ? (
          <>
            A part of it mixes letters of several scripts ({lookalike.scripts.join(", ")}), as no
            language does and an imitation might.
          </>
        ) : (
          <>
            Its letters look like those of <code>{lookalike.ascii}</code>, which is another name.
          </>
        )}{" "}
        What was proved is exactly <code>{ascii}</code>.
      </p>
    </Notice>
  );
}

/** A published proof as a document: one moment, one name, how it was seen, and what it does not say. */
export function ProofDocument({ screen }: { screen: ProofScreen }) {
  const { proof, witness, vouching, tokenPrefix, renderedAt, lookalike } = screen;
  const provider = providerName(proof.provider);
  return (
    <article className="deed">
      <div className="kicker">
        <span className="row">
          <Seal />
          Proof of control
        </span>
        <StateWord tone="proved" word="standing" />
      </div>
      <h1>
        On{" "}
        <strong>
          <Moment at={proof.provedAt} />
        </strong>{" "}
        the holder of{" "}
        <strong>
          <bdi>{proof.heldBy}</bdi>
        </strong>{" "}
        demonstrated control of the DNS of{" "}
        <strong>
          <DomainName ascii={proof.domain} unicode={proof.unicodeDomain} />
        </strong>
        .
      </h1>
      {lookalike ? <LookalikeWarning lookalike={lookalike} ascii={proof.domain} /> : null}
      <Facts
        rows={[
          ["How", evidenceText(proof, witness)],
          ["Record", <code key="record">{recordName(proof)}</code>],
          ["Token", <code key="token">{proof.token}</code>],
          provider ? ["DNS host", provider] : null,
          [
            "Recency",
            proof.recency.type === "latest" ? (
              "the latest proof of this name known here"
            ) : (
              <span key="recency">
                the name was proved again later, on <Moment at={proof.recency.latestProvedAt} />,
                which takes nothing from this proof
              </span>
            ),
          ],
          ["This page", <code key="url">{proof.url}</code>],
        ]}
      />
      <div className="stack">
        <h2>What this says, and what it does not</h2>
        <p>
          At that moment, whoever asked Deed for this token was able to publish it in the zone of
          exactly this name. It says nothing about names above or below it, about any time since, or
          about who owns a company or a trade mark. The address is shown with all but its first
          letter hidden; {vouchingText(vouching)}
        </p>
        <p>
          A genuine token is <code>{tokenPrefix}</code> followed by 40 digits of 0–9 and a–f. The
          record may have been deleted since: it is not needed any more. This page reads no DNS.
        </p>
        <p className="row apart small sans soft">
          <a href={`/api/proofs/${proof.slug}`} className="screen-only">
            The same as JSON
          </a>
          <span>
            Page made on <Moment at={renderedAt} />
          </span>
        </p>
      </div>
    </article>
  );
}
