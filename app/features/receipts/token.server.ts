import { randomBytes } from "node:crypto";
import { type Statement, tokenInput } from "@deed/receipt/statement.ts";
import { emailOf } from "#app/core/accounts/accounts.server.ts";
import type { TxContext } from "#app/core/context.server.ts";
import type { Tx } from "#db/client.ts";
import { signingKeys } from "#db/schema.ts";
import { makeKeyCurrent, successionsFrom } from "./keys.server.ts";
import { sha256 } from "./signer.server.ts";

export const newSalt = (): Buffer => randomBytes(32);

export const commitmentOf = (salt: Uint8Array, email: string): string =>
  sha256(salt, email).toString("base64url");

const digitsOf = (...input: Parameters<typeof tokenInput>): string =>
  sha256(tokenInput(...input)).toString("hex", 0, 20);

/** Makes a token that binds holder, name and the current signing key; the claim stores the inputs. */
export function makeToken(tx: Tx, ctx: TxContext, accountId: string, name: string, now: number) {
  makeKeyCurrent(tx, ctx, now);
  const [salt, nonce] = [newSalt(), randomBytes(32)];
  const holder = commitmentOf(salt, emailOf(tx, accountId));
  const digits = digitsOf(holder, ctx.signer.kid, name, nonce.toString("base64url"));
  return { token: ctx.settings.tokenPrefix + digits, salt, nonce };
}

/** Returns what a statement needs to show whom a token was made for; empty if that cannot be shown. */
export function bindingOf(
  tx: Tx,
  { signer }: TxContext,
  { token, nonce }: { token: string; nonce: Buffer | null },
  holder: string,
  name: string,
): Pick<Statement, "nonce" | "successions"> {
  if (nonce === null) return {};
  const text = nonce.toString("base64url");
  const isOfKey = ({ kid }: { kid: string }) => token.endsWith(digitsOf(holder, kid, name, text));
  if (isOfKey(signer)) return { nonce: text };
  const keys = tx.select().from(signingKeys).all();
  const tokenKey = keys.find(isOfKey);
  const successions = tokenKey && successionsFrom(keys, tokenKey.kid, signer.kid);
  return successions ? { nonce: text, successions } : {};
}
