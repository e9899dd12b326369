import type { Command } from "commander";
import { listKeys } from "#app/services/receipts/keys.server.ts";
import { signerOf } from "#app/services/receipts/signer.server.ts";
import { addKey, newSigningKey } from "#app/signing-keys.server.ts";
import { loadEnvironment } from "../environment.ts";
import { asOperator } from "../operator.ts";
import { CommandError, messageOf, printJson, printTable } from "../output.ts";

export const register = (program: Command): void => {
  const keys = program
    .command("keys")
    .description("list the keys that sign receipts, and rotate them")
    .addHelpText(
      "after",
      `
A rotation begins at the next start of Deed: the old key signs the new one, and is then deleted. Receipts that it signed
verify as before.

Examples:
  deed keys list
  deed keys rotate && systemctl restart deed`,
    );
  keys
    .command("list")
    .description("print every key that has signed, the current one first")
    .option("--json", "print JSON")
    .action(list);
  keys.command("rotate").description("make a new key for the next start of Deed").action(rotate);
};

async function list({ json }: { json?: true }): Promise<void> {
  const all = await asOperator(({ db }) => listKeys(db));
  if (json) {
    printJson(all);
    return;
  }
  printTable([
    ["KEY", "FROM", "UNTIL", "NAMED ITS SUCCESSOR"],
    ...all.map(({ kid, from, until, succession }) => [
      kid,
      from ?? "",
      until ?? "",
      succession ? "yes" : "",
    ]),
  ]);
}

function rotate(): void {
  const env = loadEnvironment();
  const [current] = env.SIGNING_KEY ?? [];
  if (current === undefined) {
    try {
      const kid = addKey(env);
      console.log(
        `The next key is ${kid}. Restart Deed: it then signs, and the old one is deleted.`,
      );
    } catch (error) {
      throw new CommandError(messageOf(error));
    }
    return;
  }
  const fresh = newSigningKey();
  const where = env.cluster ? "on every node, and restart them all" : "and restart Deed";
  console.log(`${fresh},${current}`);
  console.error(
    `The next key is ${signerOf(fresh).kid}. Set SIGNING_KEY to the line above ${where}. Once deed keys list shows it, set SIGNING_KEY to the part before the comma.`,
  );
}
