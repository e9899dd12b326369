import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { txt } from "../../scripts/playground/records.ts";
import { targetService } from "../contract/kit.ts";
import { findPython } from "./python.ts";

/** Clients generated from /api/openapi.json by third-party tools, each doing the main job. */

const target = targetService();
const ROOT = ".cache/clients";
const PROGRAMS = "tests/clients/generated";

/** An empty folder with the service's OpenAPI document in it. */
async function folderWithDescription(name: string): Promise<string> {
  const folder = `${ROOT}/${name}`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { text } = await target().stranger().get("/api/openapi.json");
  writeFileSync(`${folder}/openapi.json`, text);
  return folder;
}

function run(command: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(" ")}\n${stdout}${stderr}`);
  return stdout + stderr;
}

/** Runs a client to its end and publishes the records it asks for. Resolves to its last message. */
async function doMainJob(command: string, program: string, domain: string): Promise<unknown> {
  const client = await target().signIn();
  const { playground } = target().own;
  const child = spawn(command, [program, target().url, client.cookie, domain], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  let said: unknown = null;
  for await (const line of createInterface({ input: child.stdout })) {
    const message = JSON.parse(line);
    said = message;
    if (!message.publish) continue;
    const { name, value } = message.publish;
    playground.addRecord("acme.com", txt(name, value));
    playground.flushWitnesses();
    child.stdin.write("\n");
  }
  return said;
}

const outcome = (domain: string) => ({
  zone: ["godaddy", "10 minutes"],
  held: "already_claimed",
  observed: `_service-challenge.${domain}.${domain}`,
  awaits: "claimant",
  panel: {
    zone: "acme.com",
    host: `_service-challenge.${domain.replace(".acme.com", "")}`,
    provider: "godaddy",
  },
  status: "proved",
  proof: { domain, nameservers: { delegated: 2, answered: 2, holding: 2 } },
  recency: "latest",
  missing: "proof_not_found",
});

it("openapi-typescript makes types that compile and a client that does the main job", async () => {
  const folder = await folderWithDescription("typescript");
  run("npx", "openapi-typescript", `${folder}/openapi.json`, "--output", `${folder}/schema.ts`);
  copyFileSync(`${PROGRAMS}/main-job.ts`, `${folder}/main-job.ts`);
  const config = { extends: "../../../tsconfig.json", include: ["*.ts"], exclude: [] };
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(config));
  run("npx", "tsc", "--project", folder);
  const said = await doMainJob("node_modules/.bin/tsx", `${folder}/main-job.ts`, "ts.acme.com");
  expect(said).toEqual(outcome("ts.acme.com"));
});

describe("openapi-python-client", () => {
  const found = findPython();
  const isMissing = "missing" in found;
  if (isMissing) console.warn(`Not run, for want of Python: ${found.missing}`);
  // In CI a lack of Python fails the test instead of skipping it.
  it.skipIf(isMissing && process.env.CI !== "true")(
    "makes a client of every endpoint and schema, and it does the main job",
    async () => {
      if ("missing" in found) throw new Error(found.missing);
      const folder = await folderWithDescription("python");
      writeFileSync(`${folder}/config.yml`, "post_hooks: []\n");
      const printed = run(
        found.python,
        ...["-m", "openapi_python_client", "generate", "--meta", "none", "--fail-on-warning"],
        ...["--path", `${folder}/openapi.json`, "--output-path", `${folder}/deed`],
        ...["--config", `${folder}/config.yml`],
      );
      expect(printed).not.toMatch(/warning|error/i);
      copyFileSync(`${PROGRAMS}/main_job.py`, `${folder}/main_job.py`);
      const said = await doMainJob(found.python, `${folder}/main_job.py`, "py.acme.com");
      expect(said).toEqual(outcome("py.acme.com"));
    },
  );
});
