import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import type { Anchor } from "@deed/dns/dnssec/anchors.ts";
import { TYPE } from "@deed/dns/dnssec/records.ts";
import {
  AT,
  dsOf,
  encodeSets,
  makeZone,
  named,
  nsec,
  txt,
} from "@deed/dns/testing/dnssec/signer.ts";
import { canonicalJson, type Receipt, type Statement, tokenInput } from "../statement.ts";
import type { Json } from "../strict-json.ts";

/** Issues receipts like an installation, and in ways that no installation would. */

const PKCS8_ED25519 = "302e020100300506032b657004220420";
export const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString("base64url");
export const sha256 = (...parts: (Uint8Array | string)[]): Buffer =>
  createHash("sha256")
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest();

export type Issuer = {
  key: KeyObject;
  jwk: { crv: string; kty: string; x: string };
  kid: string;
};

/** The same seed always gives the same key. */
export function issuerOf(seed: string): Issuer {
  const der = Buffer.concat([Buffer.from(PKCS8_ED25519, "hex"), sha256(seed)]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  const jwk = { crv: "Ed25519", kty: "OKP", x };
  return { key, jwk, kid: base64url(sha256(canonicalJson(jwk))) };
}

export const ADDRESS = "mara@acme.com";
export const SALT = Buffer.from("0123456789abcdef".repeat(2));
const NAME = "_service-challenge.acme.test";
/** Inputs that bind a token to holder and name. */
const BINDING = {
  holderCommitment: base64url(sha256(SALT, ADDRESS)),
  nonce: base64url(sha256("nonce")),
};

export function tokenOf({ kid }: Issuer) {
  const digest = sha256(tokenInput(BINDING.holderCommitment, kid, NAME, BINDING.nonce));
  return `service_v1_${digest.toString("hex", 0, 20)}`;
}

export const ISSUER = issuerOf("deed.example");

const holding = { asked: true, answered: true, held: true, transport: "udp" } as const;

export const STATEMENT: Statement = {
  iss: "https://deed.example",
  sub: "acme.test",
  iat: AT,
  challengeName: NAME,
  token: tokenOf(ISSUER),
  provedAt: new Date(AT * 1_000 + 250).toISOString(),
  scope: "exact_name",
  rule: "deed-proof/3",
  nameservers: ["192.0.2.1", "192.0.2.2"].map((address, at) => ({
    name: `ns${at + 1}.acme.test`,
    address,
    ...holding,
  })),
  witnesses: [
    { name: "cloudflare", transport: "tls", agreed: true, ad: false },
    { name: "quad9", transport: "tls", agreed: true, ad: false },
  ],
  dnssec: "insecure",
  assurance: "witnessed",
  evidenceSha256: base64url(sha256("{}")),
  heldBy: "m•••@acme.com",
  ...BINDING,
};

export const SECURE = { dnssec: "secure", assurance: "dnssec" } as const;

/** A proof by signatures alone: no nameserver could be asked. */
export const SHUT: Statement = {
  ...STATEMENT,
  ...SECURE,
  rule: "deed-dnssec/1",
  claimedAt: new Date(AT * 1_000 - 60_000).toISOString(),
  nameservers: [],
  witnesses: [{ name: "quad9", transport: "https", agreed: true, ad: false }],
};

/** A compact JWS over these texts or values, unchanged. */
export function jwsOf(
  issuer: Issuer,
  payload: Json | string,
  header: Json | string = headerOf(issuer),
) {
  const text = (part: Json | string) => (typeof part === "string" ? part : canonicalJson(part));
  const signed = `${base64url(text(header))}.${base64url(text(payload))}`;
  return `${signed}.${base64url(sign(null, Buffer.from(signed), issuer.key))}`;
}

export const headerOf = ({ jwk, kid }: Issuer) => ({
  alg: "Ed25519",
  jwk,
  kid,
  typ: "deed-proof+jwt",
});

/** A root and "test", signed here, and functions for chains: of records, and of unsigned domains. */
export async function makeWorld() {
  const [root, test] = await Promise.all([".", "test"].map((name) => makeZone(name)));
  if (!root || !test) throw new Error("no zones");
  const above = [
    root.keys,
    await root.sign("test", TYPE.DS, [await dsOf(test.zone, test.key)]),
    test.keys,
  ];
  const signed = async ({ challengeName, sub, token }: Statement, values = [token]) => {
    const zone = await makeZone(sub);
    return encodeSets([
      ...above,
      await test.sign(sub, TYPE.DS, [await dsOf(zone.zone, zone.key)]),
      zone.keys,
      await zone.sign(challengeName, TYPE.TXT, values.map(txt)),
    ]);
  };
  const unsigned = async (name: string) => {
    const next = named(`z${name}`);
    return encodeSets([...above, await test.sign(name, TYPE.NSEC, [nsec(next, [TYPE.NS])])]);
  };
  return { signed, unsigned, anchors: [root.anchor] as Anchor[] };
}

export function receiptOf(
  issuer: Issuer,
  statement: Statement,
  chain: Uint8Array | null = null,
): Receipt {
  return {
    about: "A signed receipt.",
    format: "deed-receipt/2",
    statement: jwsOf(issuer, statement),
    dnssec: chain && { chain: Buffer.from(chain).toString("base64") },
    stamp: null,
  };
}
