import type { Evidence, Exchange, ServerReading } from "@deed/dns/verdict/observation.ts";
import { hasToken } from "@deed/dns/verdict/publication-status.ts";
import { assuranceOf, PROOF_RULE, type Statement } from "@deed/receipt/statement.ts";

/** Results that end before anything is sent. */
const UNASKED: ReadonlySet<string> = new Set([
  "no_address",
  "blocked_address",
  "is_alias",
  "ipv6_only",
]);

/** Of the newest of these exchanges. Where none is recorded, the transport that anybody on the path can forge. */
const transportOf = (exchanges: readonly Exchange[], is: (one: Exchange) => boolean) =>
  exchanges.findLast(is)?.transport ?? "udp";

function nameserverOf({ exchanges, challengeName, token }: Evidence, server: ServerReading) {
  const { host, address, result, answer } = server;
  const answered = result === "answered" && answer !== null;
  const transport = transportOf(
    exchanges,
    (one) =>
      one.server === host &&
      one.result === "answered" &&
      one.question.type === "TXT" &&
      one.question.name === challengeName,
  );
  return {
    name: host,
    address,
    asked: address !== null && !UNASKED.has(result),
    answered,
    held: answered && hasToken(answer, token),
    transport: answered ? transport : null,
  };
}

function witnessesIn({ witnesses, exchanges, token }: Evidence): Statement["witnesses"] {
  return (witnesses ?? []).map(({ name, address, answer, ad }) => ({
    name,
    transport: transportOf(exchanges, (one) => one.server === name && one.address === address),
    agreed: hasToken(answer, token),
    ad,
  }));
}

/** What our own validation said; a fault or a gap does not undo a proof. */
function dnssecOf({ validation }: Evidence, hasChain: boolean): Statement["dnssec"] {
  const verdict = validation?.verdict;
  return verdict === "insecure" || (verdict === "secure" && hasChain) ? verdict : "indeterminate";
}

/** What a statement says of the read itself, for any evidence of a proving read. */
export function shownBy(evidence: Evidence, hasChain: boolean) {
  const dnssec = dnssecOf(evidence, hasChain);
  const witnesses = witnessesIn(evidence);
  return {
    scope: "exact_name",
    rule: PROOF_RULE,
    nameservers: evidence.servers.map((server) => nameserverOf(evidence, server)),
    witnesses,
    dnssec,
    assurance: assuranceOf(witnesses, dnssec === "secure"),
  } as const;
}
