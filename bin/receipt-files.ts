import { closeSync, existsSync, openSync, readSync } from "node:fs";
import type { Jwk } from "#app/receipt/ed25519.ts";
import { MAX_RECEIPT } from "#app/receipt/report.ts";
import { CommandError, EXIT, messageOf, UsageError } from "./output.ts";

const THUMBPRINT = /^[\w-]{43}$/;

/** A receipt's octets; of a longer file so many that verifyReceipt refuses it. "-" is standard input. */
export const readReceipt = (file: string): Uint8Array => readStart(file, MAX_RECEIPT + 1);

/** The keys that `--key` means: a thumbprint, or the Ed25519 keys of a JWK set or JWK in a file. */
export function readKeys(key: string): (string | Jwk)[] {
  if (THUMBPRINT.test(key) && !existsSync(key)) return [key];
  const text = new TextDecoder().decode(readStart(key, MAX_RECEIPT));
  const keys = keysIn(text);
  if (keys.length === 0)
    throw new UsageError(`${key} is neither a thumbprint nor a file with an Ed25519 key set.`);
  return keys;
}

function keysIn(text: string): Jwk[] {
  try {
    const set = JSON.parse(text) as { keys?: unknown };
    return (Array.isArray(set.keys) ? set.keys : [set]).filter(isEd25519);
  } catch {
    return [];
  }
}

const isEd25519 = (key: Partial<Jwk> | null): key is Jwk =>
  key?.kty === "OKP" && key.crv === "Ed25519" && typeof key.x === "string";

/** The first octets of a file, `limit` at most. */
function readStart(file: string, limit: number): Uint8Array {
  const octets = new Uint8Array(limit);
  let at = 0;
  try {
    const from = file === "-" ? 0 : openSync(file, "r");
    for (let read = 1; read > 0 && at < limit; at += read)
      read = readSync(from, octets, at, limit - at, null);
    if (file !== "-") closeSync(from);
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${messageOf(error)}`, EXIT.usage);
  }
  return octets.subarray(0, at);
}
