/** RCODEs that say something about a name. YXDOMAIN: a DNAME substitution made the name too long. */
const CONCLUSIVE = new Set(["NOERROR", "NXDOMAIN", "YXDOMAIN"]);

/** The failure that an RCODE means; null if it is an answer. */
export function rcodeFailure(rcode: string): "servfail" | "refused" | "malformed" | null {
  if (CONCLUSIVE.has(rcode)) return null;
  if (rcode === "SERVFAIL") return "servfail";
  return rcode === "REFUSED" || rcode === "NOTAUTH" || rcode === "NOTIMP" ? "refused" : "malformed";
}
