import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "#app/ops/environment/env.server.ts";
import { signingKeys } from "#app/ops/environment/formats.ts";
import { keptSecret, replaceSecret } from "#app/ops/environment/kept-secret.server.ts";
import { type Signer, signerOf } from "./signer.server.ts";

export const newSigningKey = (): string => randomBytes(32).toString("hex");

export const signingKeyFile = ({ DATA_DIR }: Pick<Env, "DATA_DIR">): string =>
  join(DATA_DIR, "signing-key");

/** The keys of the file, newest first; the file is made if it is missing. */
function keptKeys(file: string): string[] {
  const { data } = signingKeys.safeParse(keptSecret(file, newSigningKey));
  if (!data) throw new Error(`${file} holds no signing key: restore it`);
  return data;
}

/** Without SIGNING_KEY, a key is generated and kept in the data folder, readable only by its owner. */
export function loadSigner(env: Pick<Env, "SIGNING_KEY" | "DATA_DIR">): Signer {
  const [newest = ""] = env.SIGNING_KEY ?? keptKeys(signingKeyFile(env));
  return signerOf(newest);
}

/** Replaces the key in the file, for the next start, and returns the new one's thumbprint. Throws if there is none. */
export function replaceKey(env: Pick<Env, "DATA_DIR">): string {
  const file = signingKeyFile(env);
  if (!existsSync(file)) throw new Error(`${file} does not exist: start Deed once`);
  const fresh = newSigningKey();
  replaceSecret(file, fresh);
  return signerOf(fresh).kid;
}
