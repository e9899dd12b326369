import { spawnSync } from "node:child_process";
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  algorithmOf,
  certificate,
  der,
  digits,
  type KeyPair,
  type Making,
  NOW,
  nameOf,
  oid,
  type Party,
  pem,
  sequence,
} from "@deed/dns/testing/certificates.ts";

/** RFC 3161 tokens, honest or not. */

const sha256 = (data: Uint8Array | string) => createHash("sha256").update(data).digest();
const SHA256 = sequence(oid("608648016503040201"));
export const rsa = (modulusLength: number, publicExponent = 65_537): KeyPair =>
  generateKeyPairSync("rsa", { modulusLength, publicExponent });
export const TIME_STAMPING = "2b06010505070308";
const DIGITAL_SIGNATURE = "0780";

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
  const moment = der(0x18, Buffer.from(digits(at)));
  const info = sequence("020101", oid("2a0304"), imprint, "020101", moment, content);
  const attribute = (id: string, value: Uint8Array) => sequence(oid(id), der(0x31, value));
  const named = sequence(sequence(sequence(der(4, sha256(by.certificate)))));
  const attributes = Buffer.concat([
    attribute("2a864886f70d010903", oid("2a864886f70d0109100104")),
    attribute("2a864886f70d010904", der(4, sha256(info))),
    attribute("2a864886f70d010910022f", named),
  ]);
  const isRsa = by.party.key.publicKey.asymmetricKeyType === "rsa";
  const signer = sequence(
    "020101",
    sequence(nameOf(by.issuer.name), serialOf(by.certificate)),
    SHA256,
    der(0xa0, attributes),
    isRsa ? sequence(oid("2a864886f70d010101"), "0500") : algorithmOf(by.party.key, "sha256"),
    der(4, sign("sha256", der(0x31, attributes), by.party.key.privateKey)),
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
