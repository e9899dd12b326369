/** RCODEs with which an authority tells something about a name. YXDOMAIN: a DNAME made it too long. */
const TELLING = new Set(["NOERROR", "NXDOMAIN", "YXDOMAIN"]);

/** The failure an RCODE stands for; null where it is an answer. */
export function failureOf(rcode: string): "servfail" | "refused" | "malformed" | null {
  if (TELLING.has(rcode)) return null;
  if (rcode === "SERVFAIL") return "servfail";
  return rcode === "REFUSED" || rcode === "NOTAUTH" || rcode === "NOTIMP" ? "refused" : "malformed";
}
