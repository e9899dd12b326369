import { providerName } from "@deed/dns/words/providers.ts";
import { capital } from "@deed/dns/words/wording.ts";
import { Dotted } from "#app/ui/name.tsx";
import { Facts } from "#app/ui/page.tsx";
import type { ProofScreen, ReceiptSummary } from "../proofs.server.ts";

const DNSSEC_TEXT: Record<ReceiptSummary["dnssec"], string> = {
  secure: "the receipt has every signature from the root of DNS to the record",
  insecure: "the domain is not signed with DNSSEC",
  indeterminate: "Deed itself could not follow the signatures of the domain",
};

export const CHECKED_BY: Record<ReceiptSummary["assurance"], string> = {
  dnssec: "by the domain’s own signatures (DNSSEC)",
  witnessed: "by nameservers and resolvers",
  nameservers: "by the domain’s nameservers",
};

export function answersText({ proof: { nameservers }, witness, receipt }: ProofScreen): string {
  if (receipt?.assurance === "dnssec") return "they show the record, from the root of DNS down";
  const { answered = 0, delegated = 0, holding = 0 } = nameservers ?? {};
  const silent = delegated - answered;
  const counts = [
    nameservers &&
      `${holding} of ${delegated} nameservers${silent > 0 ? ` (${silent} did not answer)` : ""}`,
    witness?.witnesses ? `${witness.witnessesWithToken} of ${witness.witnesses} resolvers` : null,
  ].filter(Boolean);
  return counts.length > 0
    ? `${counts.join(" and ")} had the record`
    : "those that answered had the record";
}

type Server = ReceiptSummary["nameservers"][number];

const serverText = ({ asked, answered, held }: Server): string =>
  held
    ? "had the record"
    : answered
      ? "did not have the record"
      : asked
        ? "did not answer"
        : "was not asked";

const overTransport = (transport: Server["transport"]) =>
  transport ? `, over ${transport.toUpperCase()}` : "";

export function ServersAsked({ receipt: { nameservers, witnesses } }: { receipt: ReceiptSummary }) {
  return (
    <div className="stack screen-only">
      <h3>What each server answered</h3>
      <ul className="plain small sans">
        {nameservers.map((server) => (
          <li key={server.name}>
            <bdi className="mono">{server.name}</bdi>
            {server.address ? ` (${server.address})` : ""} {serverText(server)}
            {overTransport(server.transport)}
          </li>
        ))}
        {witnesses.map(({ name, agreed, ad, transport }) => (
          <li key={name}>
            Resolver {capital(name)} {agreed ? "had the record" : "did not have the record"}
            {overTransport(transport)}
            {agreed && ad ? ", and found it signed" : ""}
          </li>
        ))}
      </ul>
    </div>
  );
}

export function ProofFacts({ screen: { proof, witness, receipt } }: { screen: ProofScreen }) {
  const provider = proof.provider && providerName(proof.provider);
  return (
    <Facts
      rows={[
        [
          "TXT record",
          <code key="record">
            <Dotted name={proof.challengeHost} />
          </code>,
        ],
        ["Value", <code key="token">{proof.token}</code>],
        receipt?.nameservers.length === 0
          ? [
              "Nameservers",
              <a key="rule" href="/docs/rules/deed-dnssec-1">
                none could be asked
              </a>,
            ]
          : null,
        [
          "DNSSEC",
          receipt ? DNSSEC_TEXT[receipt.dnssec] : witness?.authenticated && "signature valid",
        ],
        ["DNS provider", provider],
        receipt && ["Signing key", <code key="key">{receipt.thumbprint}</code>],
        ["This page", <code key="url">{proof.url}</code>],
      ]}
    />
  );
}
