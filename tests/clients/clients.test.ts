import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { txt } from "@deed/playground/records.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { targetService } from "../contract/kit.ts";
import { compile } from "../support/compile.ts";
import { keyOf } from "../support/deed.ts";
import { productVersion } from "../support/product.ts";

/** The client generated from /api/openapi.json does the main job. Other tools' clients: generators.test.ts. */

const target = targetService();
const PROGRAMS = "tests/clients/programs";
const TSX = "node_modules/.bin/tsx";
const typeRoots = [resolve("node_modules/@types")];

function run(command: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(" ")}\n${stdout}${stderr}`);
  return stdout + stderr;
}

/** Runs a client to its end and publishes the records it asks for. Resolves to its last message. */
async function doMainJob(...args: string[]): Promise<unknown> {
  const { playground } = target().own;
  const child = spawn(TSX, args, { stdio: ["pipe", "pipe", "inherit"] });
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

describe("@deed/client, from the tarball that the service gives out", () => {
  const folder = ".cache/clients/typescript";
  beforeAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    // C20.5
    const tarball = `deed-client-${productVersion().inNames}.tgz`;
    const given = await fetch(`${target().url}/${tarball}`);
    writeFileSync(`${folder}/${tarball}`, new Uint8Array(await given.arrayBuffer()));
    writeFileSync(`${folder}/package.json`, JSON.stringify({ type: "module" }));
    run("npm", "install", "--offline", "--no-audit", "--prefix", folder, `${folder}/${tarball}`);
    for (const name of ["main-job.ts", "waiting.ts"])
      copyFileSync(`${PROGRAMS}/${name}`, `${folder}/${name}`);
    const { compilerOptions } = JSON.parse(readFileSync("tsconfig.json", "utf8"));
    const node = { module: "NodeNext", moduleResolution: "NodeNext", typeRoots };
    compile([`${folder}/main-job.ts`, `${folder}/waiting.ts`], { ...compilerOptions, ...node });
  });

  it("proves a domain with types that compile, and tells the diagnosis on the way", async () => {
    const domain = "ts.acme.com";
    const { key } = await keyOf(await target().signIn());
    expect(await doMainJob(`${folder}/main-job.ts`, target().url, key, domain)).toEqual({
      zone: ["godaddy", "10 minutes"],
      awaits: "claimant",
      panel: { zone: "acme.com", host: "_service-challenge.ts", provider: "godaddy" },
      status: "proved",
      proof: { domain, nameservers: { delegated: 2, answered: 2, holding: 2 } },
      recency: "latest",
      missing: "proof_not_found",
      line: `_service-challenge.${domain}. 300 IN TXT "…"`,
      observed: [`_service-challenge.${domain}.${domain}`],
      isByEvent: true,
      again: true,
      other: ["waiting", "customer 7", true],
      listed: true,
      taken: ["already_claimed", 409, true, true],
      watched: [true, "hour"],
      held: [true, false, false],
      refused: ["not_found", "insufficient_scope"],
    });
  });

  it.each([
    ["node16", "node16", "module"],
    ["node16", "node16", "commonjs"],
    ["commonjs", "node10", "commonjs"],
  ])("compiles as %s with resolution by %s, and runs as %s", (module, moduleResolution, type) => {
    const consumer = `${folder}/${module}-${type}`;
    mkdirSync(consumer, { recursive: true });
    writeFileSync(`${consumer}/package.json`, JSON.stringify({ type }));
    copyFileSync(`${PROGRAMS}/consumer.ts`, `${consumer}/consumer.ts`);
    const options = { module, moduleResolution, target: "es2022", strict: true };
    const types = { types: ["node"], typeRoots, esModuleInterop: true };
    compile([`${consumer}/consumer.ts`], { ...options, ...types });
    expect(run("node", `${consumer}/consumer.js`)).toBe(
      "The service cannot be reached. function\n",
    );
  });

  it("waits as the service says, on one stream for all, and goes on after failures", async () => {
    expect(JSON.parse(run(TSX, `${folder}/waiting.ts`))).toEqual({
      polling: { status: "proved", reads: 2, isAfterRead: true },
      budget: { status: "proved", waited: [true, true] },
      timeouts: ["record_absent", "first_check"],
      hanging: ["TimeoutError", "waiting", "needs_attention", ...Array(3).fill("TimeoutError")],
      unheard: ["waiting", "proved", "TypeError"],
      once: [1, 1],
      errors: { code: "too_many_domains", budget: "domains", requestId: "req_1", retryAfter: 7 },
      ends: ["expired", "canceled"],
      aborting: "enough",
      sharing: [["proved"], 1, 0, 100],
      events: {
        events: [
          { type: "reset" },
          { type: "claim.opened", claimId: "clm_1", id: "b" },
          { type: "reset", id: "c" },
          { type: "domain.created", id: "d" },
        ],
        ids: [null, "b", "c", "c"],
      },
      bodies: [{ reference: "customer 7" }, { reference: "customer 7", again: "clm_0" }, {}],
      refusals: {
        page: ["unknown", 404],
        redirect: [expect.any(String), 0],
        gone: "The service cannot be reached.",
        empty: [true, true],
      },
    });
  });
});
