import type { Command } from "commander";
import { listKeys } from "#app/features/receipts/keys.server.ts";
import { newSigningKey, replaceKey, signerOf } from "#app/features/receipts/signer.server.ts";
import { loadEnvironment } from "../support/environment.ts";
import { asOperator } from "../support/operator.ts";
import { CommandError, messageOf, printJson, printTable } from "../support/output.ts";

export const register = (program: Command): void => {
  const keys = program
    .command("keys")
    .description("list the keys that sign receipts, and rotate them")
    .addHelpText(
      "after",
      `
The new key signs from the next start of Deed on. Receipts that the old one signed verify as before.

Examples:
  deed keys list
  deed keys rotate && systemctl restart deed`,
    );
  keys
    .command("list")
    .description("print every key that has signed, the current one first")
    .option("--json", "print JSON")
    .action(list);
  keys
    .command("rotate")
    .description("replace the key from the next start of Deed on")
    .action(rotate);
};

async function list({ json }: { json?: true }): Promise<void> {
  const all = await asOperator(({ db }) => listKeys(db));
  const rows = all.map(({ kid, from, until }) => [kid, from ?? "", until ?? ""]);
  if (json) printJson(all);
  else printTable([["KEY", "FROM", "UNTIL"], ...rows]);
}

function rotate(): void {
  const env = loadEnvironment();
  if (!env.SIGNING_KEY) {
    try {
      console.log(`The new key is ${replaceKey(env)}. It signs once Deed is restarted.`);
    } catch (error) {
      throw new CommandError(messageOf(error));
    }
    return;
  }
  const fresh = newSigningKey();
  const where = env.cluster ? " on every node, and restart them all" : ", and restart Deed";
  console.log([fresh, ...env.SIGNING_KEY].join());
  console.error(
    `The new key is ${signerOf(fresh).kid}. Set SIGNING_KEY to the line above${where}. Then set it to the part before the first comma.`,
  );
}
