import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { connectKeyFile, makeConnectSigner } from "#app/connect-key.server.ts";
import { createReader } from "#app/dns/resolve/create-reader.ts";
import { readerSettings } from "#app/dns-settings.server.ts";
import type { ConnectSigner } from "#app/services/connect/signer.ts";
import { connectTemplate, templateProblems } from "#app/services/connect/template.ts";
import { loadEnvironment } from "../environment.ts";
import { CommandError, messageOf } from "../output.ts";

const READ_MS = 10_000;
/** Exit code while the key is not published. */
const UNPUBLISHED = 3;

export const register = (program: Command): void => {
  program
    .command("domain-connect")
    .description("let DNS providers add the record: by Domain Connect")
    .command("template")
    .description("write this installation's template and key, and check that the key is published")
    .argument("[folder]", "where the template is written", ".")
    .addHelpText(
      "after",
      `
The first run makes a key, kept in DATA_DIR (or set DOMAIN_CONNECT_KEY, the same on every node). Publish the TXT records
that it prints, run it again until it ends with 0, restart Deed, and submit the file to
https://github.com/Domain-Connect/Templates. Deed offers the set-up at each provider that has taken it.

Exit codes: 0 all is in place, 3 the key is not published yet.

Examples:
  deed domain-connect template
  deed domain-connect template /tmp`,
    )
    .action(template);
};

async function template(folder: string): Promise<void> {
  const env = loadEnvironment();
  const { BASE_URL: baseUrl, CHALLENGE_LABEL: challengeLabel, TOKEN_PREFIX: tokenPrefix } = env;
  const made = connectTemplate({ baseUrl, challengeLabel, tokenPrefix });
  const problems = templateProblems(made, baseUrl);
  if (problems.length > 0) throw new CommandError(problems);
  const file = resolve(folder, `${made.providerId}.${made.serviceId}.json`);
  try {
    writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`);
  } catch (error) {
    throw new CommandError(messageOf(error));
  }
  const signer = makeConnectSigner(env);
  const name = `${signer.keyLabel}.${made.syncPubKeyDomain}`;
  console.log(`Template  ${file}`);
  console.log(`Key       ${env.DOMAIN_CONNECT_KEY ? "DOMAIN_CONNECT_KEY" : connectKeyFile(env)}`);
  console.log(`Publish   at ${name}\n`);
  for (const value of signer.keyRecords) console.log(`${name}. 3600 IN TXT "${value}"`);
  const missing = await notPublished(readerSettings(env), name, signer);
  if (missing) throw new CommandError(["", missing], UNPUBLISHED);
  console.log("\nThe key is published. Restart Deed if it has not started since the key was made.");
}

/** Why the key cannot be read at its name; null if it can. */
async function notPublished(
  settings: ReturnType<typeof readerSettings>,
  name: string,
  { keyRecords }: ConnectSigner,
): Promise<string | null> {
  const reader = createReader(settings);
  const read = await reader
    .readText(name, AbortSignal.timeout(READ_MS))
    .finally(() => reader.close());
  if (read.type !== "read") return `DNS could not be read at ${name}. Run this again later.`;
  const missing = keyRecords.filter((value) => !read.values.includes(value)).length;
  if (missing > 0)
    return `${missing} of these ${keyRecords.length} records are not published yet. Add them, then run this again.`;
  return read.values.length > keyRecords.length
    ? `There are other TXT records at ${name}. Delete them: they would become part of the key.`
    : null;
}
