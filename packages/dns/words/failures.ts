import type { Failure, WitnessFailure } from "../verdict/observation.ts";

/** What a nameserver or resolver without a usable answer does, to follow its name in a sentence. */
export const FAILURE_WORDS: Record<Failure | WitnessFailure | "unasked", string> = {
  timeout: "does not answer",
  refused: "refuses to answer",
  servfail: "reports a failure (SERVFAIL)",
  not_authoritative: "does not serve this zone",
  no_address: "has no address",
  blocked_address: "has an address that is not public",
  malformed: "answers with something that is not DNS",
  tcp_refused: "does not answer over TCP",
  case_changed: "changes the capital letters in the question and does not answer over TCP",
  too_large: "cuts its answer short, over TCP too",
  is_alias: "is a CNAME, not a host",
  ipv6_only: "was not asked, because it has only IPv6 and Deed has none here",
  untrusted: "has no valid certificate",
  unasked: "has not been asked yet",
};

export const failureInWords = (result: string): string =>
  new Map(Object.entries(FAILURE_WORDS)).get(result) ?? result;
