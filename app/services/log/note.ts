import { createHash } from "node:crypto";
import type { Signer } from "../receipts/signer.server.ts";
import type { Hash } from "./merkle.ts";

const base64 = (octets: Uint8Array): string => Buffer.from(octets).toString("base64");

/** The type of an Ed25519 signature in a note. */
const ED25519 = Uint8Array.of(1);
const publicKey = ({ jwk }: Pick<Signer, "jwk">) => Buffer.from(jwk.x, "base64url");

/** The id of a key in the signatures of a note, 4 octets (C2SP signed-note). */
const keyId = (name: string, key: Uint8Array): Buffer =>
  createHash("sha256").update(`${name}\n`).update(ED25519).update(key).digest().subarray(0, 4);

/** The key as text, for programs that check notes (C2SP signed-note, "Verifier keys"). */
export function verifierKey(name: string, signer: Pick<Signer, "jwk">): string {
  const key = publicKey(signer);
  return `${name}+${keyId(name, key).toString("hex")}+${base64(Buffer.concat([ED25519, key]))}`;
}

/** A C2SP signed-note. `text` ends with a newline. */
export function signNote(text: string, name: string, signer: Signer): string {
  const signature = signer.sign(Buffer.from(text));
  return `${text}\n— ${name} ${base64(Buffer.concat([keyId(name, publicKey(signer)), signature]))}\n`;
}

/** A C2SP tlog-checkpoint, signed by the log's key under the name of its origin. */
export const signCheckpoint = (origin: string, size: number, root: Hash, signer: Signer): string =>
  signNote(`${origin}\n${size}\n${base64(root)}\n`, origin, signer);

/** A C2SP tlog-proof without extra data. */
export const tlogProof = (index: number, path: readonly Hash[], checkpoint: string): string =>
  ["c2sp.org/tlog-proof@v1", `index ${index}`, ...path.map(base64), "", checkpoint].join("\n");
