import { createHash, createPrivateKey, createPublicKey, randomBytes, sign } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { canonicalJson } from "@deed/receipt/statement.ts";
import type { Json } from "@deed/receipt/strict-json.ts";
import type { Env } from "#app/environment/env.server.ts";
import { signingKeys } from "#app/environment/formats.ts";
import { ensureSecret, replaceSecret } from "#app/environment/kept-secret.server.ts";

declare module "#app/core/context.server.ts" {
  interface Context {
    signer: Signer;
  }
}

/** The public half of a signing key (RFC 8037). `x` has 32 octets in base64url. */
export type PublicJwk = { crv: "Ed25519"; kty: "OKP"; x: string };

/**
 * An Ed25519 key (RFC 8032). `kid` is its thumbprint (RFC 7638) in base64url. `earlier` are keys that are still available,
 * to sign that this key follows them; `forgetEarlier` removes them from the file, once that is signed.
 */
export type Signer = {
  kid: string;
  jwk: PublicJwk;
  sign(octets: Uint8Array): Uint8Array;
  earlier?: readonly Signer[];
  forgetEarlier?(): void;
};

/** The PKCS #8 form of an Ed25519 key, up to where its seed begins (RFC 8410 section 7). */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

export function sha256(...parts: (Uint8Array | string)[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** Returns the RFC 7638 thumbprint of a public key, in base64url. */
export const thumbprint = ({ crv, kty, x }: PublicJwk): string =>
  sha256(canonicalJson({ crv, kty, x })).toString("base64url");

/** Makes the key with these 64 hexadecimal digits as its private half. */
export function signerOf(seed: string): Signer {
  const der = Buffer.concat([PKCS8, Buffer.from(seed, "hex")]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  const jwk: PublicJwk = { crv: "Ed25519", kty: "OKP", x };
  return { kid: thumbprint(jwk), jwk, sign: (octets) => sign(null, octets, key) };
}

const base64url = (text: string): string => Buffer.from(text).toString("base64url");

/** Signs the canonical JSON of `claims` as a compact JWS (RFC 7515 section 7.1) with Ed25519 (RFC 9864). Its header has the key. */
export function signJws(signer: Signer, type: string, claims: Json): string {
  const header = canonicalJson({ alg: "Ed25519", jwk: signer.jwk, kid: signer.kid, typ: type });
  const input = `${base64url(header)}.${base64url(canonicalJson(claims))}`;
  return `${input}.${Buffer.from(signer.sign(Buffer.from(input))).toString("base64url")}`;
}

/** Reads the payload of a JWS that this installation signed. */
export const payloadOf = (jws: string) =>
  JSON.parse(Buffer.from(jws.split(".")[1] ?? "", "base64url").toString());

export const newSigningKey = (): string => randomBytes(32).toString("hex");

export const signingKeyFile = ({ DATA_DIR }: Pick<Env, "DATA_DIR">): string =>
  join(DATA_DIR, "signing-key");

/** Reads the keys in a file, newest first, and makes the file if it is missing. */
function keptKeys(file: string): string[] {
  const { data } = signingKeys.safeParse(ensureSecret(file, newSigningKey));
  if (!data) throw new Error(`${file} has no signing key: restore it`);
  return data;
}

/** Loads the signing key. Without SIGNING_KEY, generates one in the data folder, readable only by its owner. */
export function loadSigner(env: Pick<Env, "SIGNING_KEY" | "DATA_DIR">): Signer {
  const file = signingKeyFile(env);
  const [newest = "", ...older] = env.SIGNING_KEY ?? keptKeys(file);
  const forgetEarlier = () => {
    const isKeptKey = !env.SIGNING_KEY && older.length > 0;
    if (isKeptKey && keptKeys(file)[0] === newest) replaceSecret(file, newest);
    older.length = 0;
  };
  return { ...signerOf(newest), earlier: older.map(signerOf), forgetEarlier };
}

/** Puts a new key in front of the file's keys, for the next start, and returns its thumbprint. Throws without a file. */
export function replaceKey(env: Pick<Env, "DATA_DIR">): string {
  const file = signingKeyFile(env);
  if (!existsSync(file)) throw new Error(`${file} does not exist: start Deed once`);
  const newKey = newSigningKey();
  replaceSecret(file, [newKey, ...keptKeys(file)].join());
  return signerOf(newKey).kid;
}
