/** RCODEs that say something about a name. YXDOMAIN: a DNAME substitution made the name too long. */
const TELLING = new Set(["NOERROR", "NXDOMAIN", "YXDOMAIN"]);

/** The failure that an RCODE means; null if it is an answer. */
export function failureOf(rcode: string): "servfail" | "refused" | "malformed" | null {
  if (TELLING.has(rcode)) return null;
  if (rcode === "SERVFAIL") return "servfail";
  return rcode === "REFUSED" || rcode === "NOTAUTH" || rcode === "NOTIMP" ? "refused" : "malformed";
}
