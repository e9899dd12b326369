import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { isIP } from "node:net";

/** In PEM. */
export type Certificate = { key: string; cert: string };

export class Authority {
  readonly cert: string;
  readonly #own: Party = { name: "Lab authority", key: elliptic() };

  constructor() {
    this.cert = pem(certificate({ subject: this.#own, issuer: this.#own, ...around(Date.now()) }));
  }

  /** Issues a certificate for these addresses and host names, valid for two days. */
  issue(names: readonly string[]): Certificate {
    const subject = { name: "Lab resolver", key: elliptic() };
    const alternatives = names.map((name) =>
      isIP(name) === 4
        ? der(0x87, Buffer.from(name.split(".").map(Number)))
        : der(0x82, Buffer.from(name)),
    );
    const more = [extension("551d11", false, sequence(...alternatives))];
    const making = { subject, issuer: this.#own, ca: null, usage: null, more };
    return {
      key: subject.key.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      cert: pem(certificate({ ...making, ...around(Date.now()) })),
    };
  }
}

const DAY = 86_400_000;
const around = (now: number) => ({ from: now - DAY, until: now + 2 * DAY });

/** A DER value with these contents: octets or hexadecimal digits. */
export function der(tag: number, ...contents: (Uint8Array | string)[]): Buffer {
  const octets = contents.map((one) =>
    typeof one === "string" ? Buffer.from(one, "hex") : Buffer.from(one),
  );
  const content = Buffer.concat(octets);
  const { length } = content;
  const long = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...(length < 0x80 ? [length] : long)]), content]);
}
export const oid = (hex: string) => der(6, hex);
export const sequence = (...contents: (Uint8Array | string)[]) => der(0x30, ...contents);
/** As in a certificate's or a time stamp's text: YYYYMMDDhhmmssZ. */
export const digits = (at: number) =>
  `${new Date(at).toISOString().replace(/\D/g, "").slice(0, 14)}Z`;
/** RFC 5280 uses UTCTime until 2049. */
const dated = (at: number) => der(0x17, Buffer.from(digits(at).slice(2)));
const COMMON_NAME = "550403";
export const nameOf = (text: string) =>
  sequence(der(0x31, sequence(oid(COMMON_NAME), der(12, Buffer.from(text)))));

const HASHES = { sha1: "05", sha256: "0b", sha384: "0c", sha512: "0d" };
const CURVE_HASHES = { sha1: "2a8648ce3d0401", sha256: "2a8648ce3d040302" };

export type KeyPair = { publicKey: KeyObject; privateKey: KeyObject };
export const elliptic = (namedCurve = "P-256"): KeyPair =>
  generateKeyPairSync("ec", { namedCurve });

export function algorithmOf({ publicKey }: KeyPair, hash: keyof typeof HASHES): Buffer {
  if (publicKey.asymmetricKeyType === "rsa")
    return sequence(oid(`2a864886f70d0101${HASHES[hash]}`), "0500");
  return sequence(oid(hash === "sha1" ? CURVE_HASHES.sha1 : CURVE_HASHES.sha256));
}
const spkiOf = ({ publicKey }: KeyPair) => publicKey.export({ type: "spki", format: "der" });
const idOf = (key: KeyPair) => createHash("sha1").update(spkiOf(key)).digest();

export type Party = { name: string; key: KeyPair };
export type Making = {
  subject: Party;
  issuer: Party;
  from?: number;
  until?: number;
  hash?: keyof typeof HASHES;
  /** For basic constraints; left out of the certificate if null. */
  ca?: boolean | null;
  pathlen?: number;
  /** Octets of the key usage in hexadecimal, after the count of unused bits; left out if null. */
  usage?: string | null;
  /** Purposes' OIDs in hexadecimal. */
  purpose?: string;
  more?: Uint8Array[];
  version?: 1 | 3;
};

export const extension = (id: string, isCritical: boolean, value: Uint8Array) =>
  sequence(oid(id), ...(isCritical ? [der(1, "ff")] : []), der(4, value));
const CERTIFICATE_SIGN = "0106";
export const NOW = Date.UTC(2026, 10, 27, 12);
const YEAR = 365 * DAY;
let made = 1;

/** In DER (RFC 5280). By default an authority's, with both key identifiers, as public ones have. */
export function certificate(making: Making): Buffer {
  const { subject, issuer, from = NOW - YEAR, until = NOW + YEAR } = making;
  const { ca = true, pathlen, usage = CERTIFICATE_SIGN, purpose, more = [], version = 3 } = making;
  const { hash = "sha256" } = making;
  const size = pathlen === undefined ? [] : [der(2, Buffer.from([pathlen]))];
  const extensions = [
    ...(ca === null
      ? []
      : [extension("551d13", true, sequence(...(ca ? [der(1, "ff")] : []), ...size))]),
    ...(usage === null ? [] : [extension("551d0f", true, der(3, usage))]),
    ...(purpose ? [extension("551d25", true, sequence(...purpose.split(" ").map(oid)))] : []),
    extension("551d0e", false, der(4, idOf(subject.key))),
    extension("551d23", false, sequence(der(0x80, idOf(issuer.key)))),
    ...more,
  ];
  const algorithm = algorithmOf(issuer.key, hash);
  made += 1;
  const body = sequence(
    ...(version === 3 ? [der(0xa0, "020102")] : []),
    der(2, Buffer.from([0x40, made >> 8, made & 0xff])),
    algorithm,
    nameOf(issuer.name),
    sequence(dated(from), dated(until)),
    nameOf(subject.name),
    spkiOf(subject.key),
    ...(version === 3 ? [der(0xa3, sequence(...extensions))] : []),
  );
  return sequence(body, algorithm, der(3, "00", sign(hash, body, issuer.key.privateKey)));
}

export const pem = (one: Uint8Array) => {
  const lines =
    Buffer.from(one)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
};
