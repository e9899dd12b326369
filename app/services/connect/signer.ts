import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";

/** Signs calls of templates, by Domain Connect's only algorithm: RSA with SHA-256. */
export type ConnectSigner = {
  /** The label below `syncPubKeyDomain` at which the key is published. A new key has a new one. */
  keyLabel: string;
  /** The values of the TXT records that publish it. */
  keyRecords: string[];
  /** The signature of a query string as it will be sent, in base64. */
  sign(query: string): string;
};

/** Octets of base64 in a record, so that the whole of it fits the one string of 255 that some providers read. */
const PART = 230;

/** `key`: PKCS #8 in base64. Throws if it is no RSA key. */
export function connectSigner(key: string): ConnectSigner {
  const own = createPrivateKey({ key: Buffer.from(key, "base64"), format: "der", type: "pkcs8" });
  if (own.asymmetricKeyType !== "rsa") throw new Error("not an RSA key");
  const der = createPublicKey(own).export({ format: "der", type: "spki" });
  const parts = der.toString("base64").match(new RegExp(`.{1,${PART}}`, "g")) ?? [];
  return {
    keyLabel: `_deed-${createHash("sha256").update(der).digest("hex").slice(0, 8)}`,
    keyRecords: parts.map((part, index) => `p=${index + 1},a=RS256,d=${part}`),
    sign: (query) => sign("RSA-SHA256", Buffer.from(query), own).toString("base64"),
  };
}
