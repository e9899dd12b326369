import type { ProofWitness } from "#app/services/proofs/proofs.server.ts";
import type { PublishedProof } from "#app/services/resources.ts";
import type { ProofScreen } from "#app/services/screens/proof-screen.server.ts";
import { Facts } from "../ui/page.tsx";
import { Moment } from "../ui/time.tsx";
import { providerName } from "../zone/zone.tsx";
import { RestsOn } from "./receipt.tsx";

/** The record's full name: `challengeHost` may be only its label. */
const recordName = ({ challengeHost, domain }: PublishedProof): string =>
  challengeHost.endsWith(`.${domain}`) ? challengeHost : `${challengeHost}.${domain}`;

const resolversText = ({ witnesses, witnessesWithToken }: ProofWitness): string =>
  witnesses > 0 ? `${witnessesWithToken} of ${witnesses} had the record` : "none were asked";

/** What was found, where, and who answered. */
export function ProofFacts({
  proof,
  witness,
  receipt,
}: Pick<ProofScreen, "proof" | "witness" | "receipt">) {
  const { nameservers, recency } = proof;
  const provider = providerName(proof.provider);
  return (
    <Facts
      rows={[
        ["TXT record", <code key="record">{recordName(proof)}</code>],
        ["Token", <code key="token">{proof.token}</code>],
        nameservers && [
          "Nameservers",
          `${nameservers.answered} of ${nameservers.delegated} answered, ${nameservers.holding} had the record`,
        ],
        witness && ["Resolvers", resolversText(witness)],
        receipt
          ? ["Rests on", <RestsOn key="word" {...receipt} />]
          : witness?.authenticated
            ? ["DNSSEC", "signature valid"]
            : null,
        provider ? ["DNS provider", provider] : null,
        [
          "Later proofs",
          recency.type === "latest" ? (
            "none known here"
          ) : (
            <Moment key="later" at={recency.latestProvedAt} />
          ),
        ],
        receipt && ["Signing key", <code key="key">{receipt.thumbprint}</code>],
        ["This page", <code key="url">{proof.url}</code>],
      ]}
    />
  );
}
