export const OUTBOUND_FAILURES = {
  bad_url: "its address is not allowed here",
  name_not_found: "its domain has no address",
  forbidden_address: "its address is not public",
  unreachable: "no connection",
  tls: "TLS could not be negotiated",
  certificate_expired: "its certificate is not valid at this time",
  certificate_name: "its certificate is for another name",
  certificate_untrusted: "its certificate is not from a trusted authority",
  not_http: "its answer is not HTTP",
  timeout: "no answer within 5 seconds",
};
type OutboundFailure = keyof typeof OUTBOUND_FAILURES;

export class OutboundError extends Error {
  constructor(
    readonly reason: OutboundFailure,
    message: string,
  ) {
    super(message);
  }
}

/** These patterns match codes of Node and OpenSSL; the first that matches counts. */
const CODES: readonly (readonly [RegExp, OutboundFailure])[] = [
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, "certificate_expired"],
  [/^(ERR_TLS_CERT_ALTNAME|HOSTNAME_MISMATCH)/, "certificate_name"],
  [/CERT|^UNABLE_TO_|^INVALID_CA$/, "certificate_untrusted"],
  [/^(ERR_SSL|ERR_TLS|EPROTO)/, "tls"],
  [/^HPE_/, "not_http"],
];

export function failureOf({ code = "" }: NodeJS.ErrnoException): OutboundError {
  const reason = CODES.find(([pattern]) => pattern.test(code))?.[1] ?? "unreachable";
  return new OutboundError(reason, code || "the connection failed");
}
