import { spawnSync } from "node:child_process";
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** RFC 3161 certificates and tokens, honest or not. */

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
const oid = (hex: string) => der(6, hex);
const sequence = (...contents: (Uint8Array | string)[]) => der(0x30, ...contents);
const sha256 = (data: Uint8Array | string) => createHash("sha256").update(data).digest();
const digits = (at: number) => `${new Date(at).toISOString().replace(/\D/g, "").slice(0, 14)}Z`;
const moment = (at: number) => der(0x18, Buffer.from(digits(at)));
/** RFC 5280 uses UTCTime until 2049. */
const dated = (at: number) => der(0x17, Buffer.from(digits(at).slice(2)));
const SHA256 = sequence(oid("608648016503040201"));
const COMMON_NAME = "550403";
const nameOf = (text: string) =>
  sequence(der(0x31, sequence(oid(COMMON_NAME), der(12, Buffer.from(text)))));

const HASHES = { sha1: "05", sha256: "0b", sha384: "0c", sha512: "0d" };
const CURVE_HASHES = { sha1: "2a8648ce3d0401", sha256: "2a8648ce3d040302" };

export type KeyPair = { publicKey: KeyObject; privateKey: KeyObject };
export const elliptic = (namedCurve = "P-256"): KeyPair =>
  generateKeyPairSync("ec", { namedCurve });
export const rsa = (modulusLength: number, publicExponent = 65_537): KeyPair =>
  generateKeyPairSync("rsa", { modulusLength, publicExponent });

function algorithmOf({ publicKey }: KeyPair, hash: keyof typeof HASHES): Buffer {
  if (publicKey.asymmetricKeyType === "rsa")
    return sequence(oid(`2a864886f70d0101${HASHES[hash]}`), "0500");
  return sequence(oid(hash === "sha1" ? CURVE_HASHES.sha1 : CURVE_HASHES.sha256));
}
const signatureOf = (data: Uint8Array, { privateKey }: KeyPair, hash: string) =>
  sign(hash, data, privateKey);
const bitString = (octets: Uint8Array) => der(3, "00", octets);
const spkiOf = ({ publicKey }: KeyPair) => publicKey.export({ type: "spki", format: "der" });
const idOf = (key: KeyPair) => createHash("sha1").update(spkiOf(key)).digest();

export type Party = { name: string; key: KeyPair };
export type Making = {
  subject: Party;
  issuer: Party;
  serial?: number;
  from?: number;
  until?: number;
  hash?: keyof typeof HASHES;
  /** For basic constraints; left out of the certificate if null. */
  ca?: boolean | null;
  pathlen?: number;
  /** Octets of the key usage in hexadecimal, after the count of unused bits; left out if null. */
  usage?: string | null;
  /** A purpose's OID in hexadecimal. */
  purpose?: string;
  /** Further extensions in DER. */
  more?: Uint8Array[];
  version?: 1 | 3;
};

export const extension = (id: string, isCritical: boolean, value: Uint8Array) =>
  sequence(oid(id), ...(isCritical ? [der(1, "ff")] : []), der(4, value));
export const TIME_STAMPING = "2b06010505070308";
const [CERTIFICATE_SIGN, DIGITAL_SIGNATURE] = ["0106", "0780"];
export const NOW = Date.UTC(2026, 10, 27, 12);
const YEAR = 365 * 86_400_000;
let made = 1;

/** By default an authority's certificate, with both key identifiers, as public ones have. */
export function certificate(making: Making): Buffer {
  const { subject, issuer, serial = ++made, from = NOW - YEAR, until = NOW + YEAR } = making;
  const { ca = true, pathlen, usage = CERTIFICATE_SIGN, purpose, more = [], version = 3 } = making;
  const { hash = "sha256" } = making;
  const size = pathlen === undefined ? [] : [der(2, Buffer.from([pathlen]))];
  const extensions = [
    ...(ca === null
      ? []
      : [extension("551d13", true, sequence(...(ca ? [der(1, "ff")] : []), ...size))]),
    ...(usage === null ? [] : [extension("551d0f", true, der(3, usage))]),
    ...(purpose ? [extension("551d25", true, sequence(oid(purpose)))] : []),
    extension("551d0e", false, der(4, idOf(subject.key))),
    extension("551d23", false, sequence(der(0x80, idOf(issuer.key)))),
    ...more,
  ];
  const algorithm = algorithmOf(issuer.key, hash);
  const body = sequence(
    ...(version === 3 ? [der(0xa0, "020102")] : []),
    der(2, Buffer.from([0x40, serial >> 8, serial & 0xff])),
    algorithm,
    nameOf(issuer.name),
    sequence(dated(from), dated(until)),
    nameOf(subject.name),
    spkiOf(subject.key),
    ...(version === 3 ? [der(0xa3, sequence(...extensions))] : []),
  );
  return sequence(body, algorithm, bitString(signatureOf(body, issuer.key, hash)));
}

/** A stamper's certificate. */
export const leaf = (making: Making): Buffer =>
  certificate({ ca: null, usage: DIGITAL_SIGNATURE, purpose: TIME_STAMPING, ...making });

/** A stamper's token over some octets, with these certificates after its own, in this order. */
export function tokenOf(
  data: Uint8Array | string | { imprint: Uint8Array },
  by: { certificate: Buffer; party: Party; issuer: Party },
  others: readonly Uint8Array[],
  { at = NOW, own = "first", content = new Uint8Array() as Uint8Array } = {},
): Uint8Array<ArrayBuffer> {
  const isText = typeof data === "string" || data instanceof Uint8Array;
  const imprint = sequence(SHA256, der(4, isText ? sha256(data) : data.imprint));
  const info = sequence("020101", oid("2a0304"), imprint, "020101", moment(at), content);
  const attribute = (id: string, value: Uint8Array) => sequence(oid(id), der(0x31, value));
  const named = sequence(sequence(sequence(der(4, sha256(by.certificate)))));
  const attributes = Buffer.concat([
    attribute("2a864886f70d010903", oid("2a864886f70d0109100104")),
    attribute("2a864886f70d010904", der(4, sha256(info))),
    attribute("2a864886f70d010910022f", named),
  ]);
  const serial = serialOf(by.certificate);
  const isRsa = by.party.key.publicKey.asymmetricKeyType === "rsa";
  const signer = sequence(
    "020101",
    sequence(nameOf(by.issuer.name), serial),
    SHA256,
    der(0xa0, attributes),
    isRsa ? sequence(oid("2a864886f70d010101"), "0500") : algorithmOf(by.party.key, "sha256"),
    der(4, signatureOf(der(0x31, attributes), by.party.key, "sha256")),
  );
  const all = own === "first" ? [by.certificate, ...others] : [...others, by.certificate];
  const signed = sequence(
    "020103",
    der(0x31, SHA256),
    sequence(oid("2a864886f70d0109100104"), der(0xa0, der(4, info))),
    der(0xa0, ...all),
    der(0x31, signer),
  );
  return new Uint8Array(sequence(oid("2a864886f70d010702"), der(0xa0, signed)));
}

/** The serial number, three octets, of a certificate made here. */
function serialOf(made: Buffer): Buffer {
  const at = made.indexOf(Buffer.from("020340", "hex"));
  return made.subarray(at, at + 5);
}

export const pem = (one: Uint8Array) =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(one).toString("base64")}\n-----END CERTIFICATE-----\n`;

/** Whether openssl accepts tokens, by the command in docs/receipts.md; `stop` removes its folder. */
export function opensslJudge() {
  const folder = mkdtempSync(join(tmpdir(), "deed-odd-stamps-"));
  const put = (name: string, octets: Uint8Array | string) =>
    writeFileSync(join(folder, name), octets);
  return {
    accepts(token: Uint8Array, data: Uint8Array, roots: readonly Uint8Array[]): boolean {
      put("token", token);
      put("data", data);
      put("roots", roots.map(pem).join(""));
      const what = ["-data", "data", "-token_in", "-in", "token", "-CAfile", "roots"];
      const how = ["-attime", String(Math.floor(NOW / 1_000)), "-auth_level", "1"];
      return spawnSync("openssl", ["ts", "-verify", ...what, ...how], { cwd: folder }).status === 0;
    },
    stop: () => rmSync(folder, { recursive: true, force: true }),
  };
}
