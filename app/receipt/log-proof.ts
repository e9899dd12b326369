import { type Bytes, compareBytes } from "../dns/dnssec/records.ts";
import { fromBase64 } from "./base64.ts";
import { isSignedBy, sha256, utf8 } from "./ed25519.ts";
import { demand, type PartReport } from "./report.ts";

/**
 * C2SP tlog-proof: index, hashes from the leaf's sibling up, and the checkpoint: origin, size, root and one signature.
 * Without extra data, extension lines and signatures of others, which a receipt does not have.
 */
const PROOF =
  /^c2sp\.org\/tlog-proof@v1\nindex (?<index>0|[1-9]\d{0,14})\n(?<path>(?:[\w+/]{43}=\n){0,63})\n(?<note>(?<origin>[^\s+]{1,300})\n(?<size>[1-9]\d{0,14})\n(?<root>[\w+/]{43}=)\n)\n\u2014 (?<name>\S+) (?<signed>[\w+/]{91}=)\n$/;
const [LEAF, NODE, ED25519] = [Uint8Array.of(0), Uint8Array.of(1), Uint8Array.of(1)];
const KEY_ID = 4;

/** Shows that the log of this key has the entry. Throws Stop. */
export async function checkLog(
  proof: string,
  entry: Bytes,
  raw: Bytes,
  key: CryptoKey,
): Promise<PartReport> {
  const { note = "", origin = "", name, path = "", ...fields } = PROOF.exec(proof)?.groups ?? {};
  const { root = "", signed = "" } = fields;
  const lines = [root, signed, ...path.split("\n").slice(0, -1)];
  const [rootHash, signature, ...hashes] = lines.flatMap((line) => fromBase64(line) ?? []);
  demand(rootHash && signature && note && hashes.length === lines.length - 2, "log", "format");
  // C2SP signed-note: the id is of the key and its name.
  const id = await sha256(utf8(`${origin}\n`), ED25519, raw);
  const isId = compareBytes(id.slice(0, KEY_ID), signature.slice(0, KEY_ID)) === 0;
  demand(name === origin && isId, "log", "signer");
  demand(await isSignedBy(key, signature.slice(KEY_ID), utf8(note)), "log", "signature");
  const [index, size] = [Number(fields.index), Number(fields.size)];
  const found = index < size && (await rootOf(await sha256(LEAF, entry), hashes, index, size));
  demand(found && compareBytes(found, rootHash) === 0, "log", "root");
  return { part: "log", state: "shown", code: "included", facts: { origin, index, size } };
}

/** The root of a tree of `size` leaves (RFC 9162 section 2.1.1), by the path from one; null if the path does not fit. */
async function rootOf(
  leaf: Bytes,
  path: Bytes[],
  index: number,
  size: number,
): Promise<Bytes | null> {
  const sibling = path.at(-1);
  if (size === 1 || !sibling) return size === 1 && !sibling ? leaf : null;
  let left = 1;
  while (2 * left < size) left *= 2;
  const [at, width] = index < left ? [index, left] : [index - left, size - left];
  const own = await rootOf(leaf, path.slice(0, -1), at, width);
  return own && (index < left ? sha256(NODE, own, sibling) : sha256(NODE, sibling, own));
}
