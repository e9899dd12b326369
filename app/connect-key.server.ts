import { generateKeyPairSync } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type ConnectSigner, connectSigner } from "#app/services/connect/signer.ts";
import type { Env } from "./env.server.ts";
import { rsaKey } from "./environment/formats.ts";
import { keptSecret } from "./environment/kept-secret.server.ts";

type Places = Pick<Env, "DOMAIN_CONNECT_KEY" | "DATA_DIR">;

/** A new private key: PKCS #8 in base64. */
export const newConnectKey = (): string =>
  generateKeyPairSync("rsa", { modulusLength: 2_048 })
    .privateKey.export({ format: "der", type: "pkcs8" })
    .toString("base64");

export const connectKeyFile = ({ DATA_DIR }: Places): string =>
  join(DATA_DIR, "domain-connect-key");

/** The installation's signer of Domain Connect calls, whose key is made if there is none. */
export function makeConnectSigner(env: Places): ConnectSigner {
  if (env.DOMAIN_CONNECT_KEY) return connectSigner(env.DOMAIN_CONNECT_KEY);
  const file = connectKeyFile(env);
  const { data } = rsaKey.safeParse(keptSecret(file, newConnectKey));
  if (!data) throw new Error(`${file} holds no RSA key: restore it`);
  return connectSigner(data);
}

/** The same; null if there is no key, until `deed domain-connect template` has made one. */
export const loadConnectSigner = (env: Places): ConnectSigner | null =>
  env.DOMAIN_CONNECT_KEY || existsSync(connectKeyFile(env)) ? makeConnectSigner(env) : null;
