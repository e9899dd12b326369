import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "#app/services/context.server.ts";
import { Keyring } from "#app/services/receipts/keyring.server.ts";
import { signerOf } from "#app/services/receipts/signer.server.ts";
import type { Env } from "./env.server.ts";
import { signingKeys } from "./environment/formats.ts";
import { keptSecret, replaceSecret } from "./environment/kept-secret.server.ts";

/** A new private key: 64 hexadecimal digits. */
export const newSigningKey = (): string => randomBytes(32).toString("hex");

export const signingKeyFile = ({ DATA_DIR }: Pick<Env, "DATA_DIR">): string =>
  join(DATA_DIR, "signing-key");

/** The keys of the file, newest first; the file is made if it is missing. */
function keptKeys(file: string): string[] {
  const { data } = signingKeys.safeParse(keptSecret(file, newSigningKey));
  if (!data) throw new Error(`${file} holds no signing key: restore it`);
  return data;
}

/**
 * The keys of the installation. Without SIGNING_KEY, one is generated and kept in the data folder, readable only by its
 * owner; once a rotation is done, only the newest is left there.
 */
export function loadKeyring(env: Pick<Env, "SIGNING_KEY" | "DATA_DIR">, log: Log): Keyring {
  const file = signingKeyFile(env);
  const [newest, ...older] = env.SIGNING_KEY ?? keptKeys(file);
  if (!newest) throw new Error("no signing key");
  const forget = () => {
    if (env.SIGNING_KEY)
      log.warn(
        { variable: "SIGNING_KEY" },
        "only the first key of SIGNING_KEY signs: remove the others",
      );
    else replaceSecret(file, newest);
  };
  return new Keyring([signerOf(newest), ...older.map(signerOf)], forget);
}

/** Puts a new key before the one in the file, for the next start, and returns its thumbprint. Throws if it cannot. */
export function addKey(env: Pick<Env, "DATA_DIR">): string {
  const file = signingKeyFile(env);
  if (!existsSync(file)) throw new Error(`${file} does not exist: start Deed once`);
  const [current, ...older] = keptKeys(file);
  if (older.length > 0) throw new Error(`${file} has a new key already: restart Deed`);
  const fresh = newSigningKey();
  replaceSecret(file, `${fresh},${current}`);
  return signerOf(fresh).kid;
}
