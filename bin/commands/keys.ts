import type { Command } from "commander";
import * as z from "zod";
import { listKeys, revokeKey } from "#app/features/receipts/keys.server.ts";
import { newSigningKey, replaceKey, signerOf } from "#app/features/receipts/signer.server.ts";
import { loadEnvironment } from "../support/environment.ts";
import { runAsOperator } from "../support/operator.ts";
import { CommandError, messageOf, printJson, printTable, UsageError } from "../support/output.ts";

export const HELP = `
The new key signs once Deed is restarted. Receipts that the old one signed verify as before.

Examples:
  deed keys list
  deed keys rotate && systemctl restart deed
  deed keys revoke 00SqZ_v08jiy-WtjBFz8AR7SGxkJX1as3Iud0Xu8zuQ --since 2026-11-20T08:00:00Z`;

export const register = (keys: Command): void => {
  keys.description("list the keys that sign receipts, rotate them, and report a stolen key");
  keys
    .command("list")
    .description("print every key that has signed, the current one first")
    .option("--json", "print JSON")
    .action(list);
  keys
    .command("rotate")
    .description("replace the key; the new key signs once Deed is restarted")
    .action(rotate);
  keys
    .command("revoke <key>")
    .description("report that others may have a key: receipts that it signed are then bad")
    .requiredOption("--since <time>", "when they may have got it, such as 2026-11-20T08:00:00Z")
    .action(revoke);
};

async function revoke(kid: string, { since }: { since: string }): Promise<void> {
  const at = Date.parse(since);
  if (!z.iso.datetime().safeParse(since).success || !(at >= 0 && at <= Date.now()))
    throw new UsageError(
      "--since must be a time in the past, in UTC, such as 2026-11-20T08:00:00Z.",
    );
  const isCurrent = await runAsOperator(async ({ db }) => {
    if (!(await revokeKey(db, kid, at))) throw new CommandError(`No receipt was signed by ${kid}.`);
    return listKeys(db)[0]?.kid === kid;
  });
  const next = isCurrent ? " This key still signs: replace it with deed keys rotate." : "";
  console.log(`The key set says that ${kid} is compromised.${next}`);
}

async function list({ json }: { json?: true }): Promise<void> {
  const keys = await runAsOperator(({ db }) => listKeys(db));
  const rows = keys.map(({ kid, from, until, compromisedSince: since }) =>
    [kid, from, until, since].map((cell) => cell ?? ""),
  );
  if (json) printJson(keys);
  else printTable([["KEY", "FROM", "UNTIL", "COMPROMISED SINCE"], ...rows]);
}

function rotate() {
  const env = loadEnvironment();
  if (!env.SIGNING_KEY) {
    try {
      return console.log(`The new key is ${replaceKey(env)}. It signs once Deed is restarted.`);
    } catch (error) {
      throw new CommandError(messageOf(error));
    }
  }
  const newKey = newSigningKey();
  const where = env.cluster ? " on every node, and restart them all" : ", and restart Deed";
  console.log([newKey, ...env.SIGNING_KEY].join());
  console.error(
    `The new key is ${signerOf(newKey).kid}. Set SIGNING_KEY to the line above${where}. Once the new key signs, keep only the part before the first comma.`,
  );
}
