import type { DiagnosisCode } from "../verdict/diagnosis.ts";

/** What is wrong, in a few words for a list; the headlines (headlines.ts) say it on a page of its own. */
export const SHORT_CAUSES: Record<DiagnosisCode, string> = {
  domain_appended: "domain typed twice",
  record_at_apex: "record on the domain itself",
  record_on_www: "record on www",
  value_formatted: "value altered",
  expired_token: "old value",
  foreign_token: "another claim’s value",
  no_matching_record: "another value",
  cname_conflict: "alias in the way",
  record_absent: "record missing",
  not_published: "record not published",
  negative_cache: "old answer cached",
  servfail: "domain cannot be read",
  lame_delegation: "nameservers do not answer",
};
