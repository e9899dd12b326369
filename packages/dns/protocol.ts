/** Longest message accepted, in octets. No answer a claim needs is longer; longer ones are refused unread. */
export const MAX_MESSAGE = 16 * 1024;

/** Size of an answer that is too large to read: its octets, and the record count of its answer section. */
export type AnswerSize = { bytes: number; records: number };

/** The fields of a zone's SOA record that a read uses (RFC 1035 section 3.3.13). */
export type Soa = {
  /** Owner name: the zone. */
  zone: string;
  serial: number;
  /** Seconds. */
  refresh: number;
  /** Seconds: SOA MINIMUM (RFC 2308 section 4). */
  minimum: number;
  /** Seconds: TTL of the SOA record itself. */
  ttl: number;
};

/** RCODEs that say something about a name. YXDOMAIN: a DNAME substitution made the name too long. */
const CONCLUSIVE = new Set(["NOERROR", "NXDOMAIN", "YXDOMAIN"]);

/** The failure that an RCODE means; null if it is an answer. */
export function rcodeFailure(rcode: string): "servfail" | "refused" | "malformed" | null {
  if (CONCLUSIVE.has(rcode)) return null;
  if (rcode === "SERVFAIL") return "servfail";
  return rcode === "REFUSED" || rcode === "NOTAUTH" || rcode === "NOTIMP" ? "refused" : "malformed";
}
