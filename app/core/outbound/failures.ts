type OutboundFailure =
  | "bad_url"
  | "name_not_found"
  | "forbidden_address"
  | "unreachable"
  | "tls"
  | "certificate_expired"
  | "certificate_name"
  | "certificate_untrusted"
  | "not_http"
  | "timeout";

export class OutboundError extends Error {
  constructor(
    readonly reason: OutboundFailure,
    message: string,
  ) {
    super(message);
  }
}

/** Codes of Node and OpenSSL; the first that matches counts. */
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
