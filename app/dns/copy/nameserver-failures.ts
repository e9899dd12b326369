import type { FailedNameserver } from "../verdict/diagnosis.ts";
import type { Failure } from "../verdict/observation.ts";
import { joinList } from "./wording.ts";

const FAILURE_WORDS: Record<Failure, string> = {
  timeout: "does not answer",
  refused: "refuses to answer",
  servfail: "reports a failure",
  not_authoritative: "does not serve this zone",
  no_address: "has no address",
  blocked_address: "has an address that is not public",
  malformed: "answers with something that is not DNS",
  tcp_refused: "does not answer over TCP",
  case_changed: "changes the letters of the question and does not answer over TCP",
  too_large: "gives an answer too large to be read",
  is_alias: "is an alias, not a host",
  ipv6_only: "has only IPv6 addresses, and this service has no IPv6",
};

/** How each nameserver failed: "ns1.dns.test does not answer and ns2.dns.test refuses to answer". */
export const describeFailures = (nameservers: readonly FailedNameserver[]): string =>
  joinList(nameservers.map(({ host, result }) => `${host} ${FAILURE_WORDS[result]}`));
