import { X509Certificate } from "node:crypto";

/** Returns the DER of each certificate in a PEM text. Throws if one cannot be read. */
export const certificatesIn = (text: string): Uint8Array<ArrayBuffer>[] =>
  Array.from(
    text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [],
    (pem) => new Uint8Array(new X509Certificate(pem).raw),
  );
