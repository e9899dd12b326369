import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { onTestFinished, vi } from "vitest";
import type { Claim } from "#app/features/claims/resources.ts";
import type { Target } from "../contract/kit.ts";
import { Client, keyOf } from "../support/deed.ts";
import { freePort, launch, newFolder } from "../support/service.ts";

/** Set by `npm run test:examples`: packages come from the registry, by the example's lock file. */
const FROM_REGISTRY = process.env.EXAMPLES_INSTALL === "registry";

const read = (path: string) => readFileSync(path, "utf8");

/** An example's packages, installed once per lock file. */
function installed(name: string): string {
  const lock = `examples/${name}/package-lock.json`;
  const folder = `.cache/examples/${name}-${createHash("sha256").update(read(lock)).digest("hex").slice(0, 12)}`;
  if (!existsSync(`${folder}/done`)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const file of ["package.json", "package-lock.json"])
      cpSync(`examples/${name}/${file}`, `${folder}/${file}`);
    const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    const { status, stderr } = spawnSync("npm", ["ci", "--prefer-offline", ...options], {
      cwd: folder,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`npm ci of ${name}: ${stderr}`);
    mkdirSync(`${folder}/done`);
  }
  return resolve(folder, "node_modules");
}

/** Lets an example's copy use this repository's packages, which must have the versions that it pins. */
function borrow(folder: string, dependencies: Record<string, string>): void {
  for (const [name, version] of Object.entries(dependencies)) {
    const own = JSON.parse(read(`node_modules/${name}/package.json`)).version;
    if (own !== version) throw new Error(`${name} is ${own} here, ${version} in the example`);
    mkdirSync(dirname(`${folder}/node_modules/${name}`), { recursive: true });
    symlinkSync(resolve("node_modules", name), `${folder}/node_modules/${name}`);
  }
}

/** Copies an example out of the repository, with its packages, for the running test. Returns the folder. */
export function copyOut(name: string): string {
  const folder = newFolder();
  cpSync(`examples/${name}`, folder, { recursive: true });
  const { dependencies = {} } = JSON.parse(read(`${folder}/package.json`));
  if (Object.keys(dependencies).length === 0) return folder;
  if (FROM_REGISTRY) symlinkSync(installed(name), `${folder}/node_modules`);
  else borrow(folder, dependencies);
  return folder;
}

/** Starts a copied example's server in a clean environment, and waits until it listens. */
export async function start(folder: string, { PORT, ...env }: Record<string, string>) {
  const port = PORT ?? (await freePort());
  const { child, printed, ended } = launch(process.execPath, ["server.js"], {
    cwd: folder,
    env: { NODE_ENV: "production", PATH: process.env.PATH, PORT: String(port), ...env },
  });
  const stop = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  onTestFinished(stop);
  await until(() => {
    if (child.exitCode !== null) throw new Error(`the example ended:\n${printed()}`);
    return printed().includes("Listening");
  });
  return { url: `http://127.0.0.1:${port}`, printed, stop };
}

export const until = (look: () => boolean | Promise<boolean>) =>
  vi.waitUntil(look, { timeout: 30_000, interval: 50 });

type Json = Record<string, unknown>;
export type Said<T = Json> = { status: number; body: T; text: string };

export const say = <T = Json>(
  method: string,
  url: string,
  json?: unknown,
  headers: Record<string, string> = {},
) => new Client("").request(method, url, { json, headers }) as Promise<Said<T>>;

/** A browser with its cookies, for better-auth's paths. */
export const browserAt = (url: string) => {
  const client = new Client(url);
  return async (method: string, path: string, json?: unknown) => {
    const asked = { json, headers: { Origin: url } };
    const { status, headers, body } = await client.request(method, `/api/auth${path}`, asked);
    return { status, location: headers.get("location"), body: body as Json };
  };
};

export type Holder = {
  /** The person who made the key: webhooks need one. */
  browser: Client;
  env: { DEED_URL: string; DEED_KEY: string };
  call<T = Json>(method: string, path: string, json?: unknown): Promise<T>;
  publish(zone: string, claim: Claim): Promise<void>;
};

/** A new account for a program: an address and a key. */
export async function holderAt(target: Target): Promise<Holder> {
  const browser = await target.signIn();
  const { key } = await keyOf(browser, ["domains:read", "domains:write"]);
  const program = target.program(key);
  const call = async <T>(method: string, path: string, json?: unknown) => {
    const { status, body, text } = await program.request(method, `/api${path}`, { json });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return body as T;
  };
  return {
    browser,
    env: { DEED_URL: target.url, DEED_KEY: key },
    call,
    publish: async (zone, { verificationId, token, records: [record] }) => {
      target.publishRecord(zone, record?.name ?? "", token);
      await call("POST", `/verifications/${verificationId}/runs`);
    },
  };
}

/** A test key for a program: `env`, `call` with the key, and `move`, which moves its clock. */
export async function testerAt(target: Target, more: string[] = []) {
  const { browser, env } = await holderAt(target);
  const { key } = await keyOf(browser, ["domains:read", "domains:write", ...more], true);
  const program = target.program(key);
  const call = (method: string, path: string, json?: unknown) =>
    program.request(method, `/api${path}`, { json }) as Promise<Said>;
  const move = (seconds: number) => call("POST", "/test/clock", { seconds });
  return { env: { ...env, DEED_KEY: key }, call, move, key };
}

/** Starts a page's program, which proves `domain`; `asked` is the record that it prints. */
export function prover(page: string, domain: string, cwd: string, env: Record<string, unknown>) {
  const [command = "", ...words] = page.replace("example.com", domain).trim().split(" ");
  const all = { ...process.env, ...env } as NodeJS.ProcessEnv;
  const { child, printed, ended } = launch(command, words, { cwd, env: all });
  onTestFinished(() => void child.kill("SIGKILL"));
  const asked = async () => {
    const added = /^Add: (\S+) TXT (\S+)$/m;
    await until(() => added.test(printed()) || child.exitCode !== null);
    const [, name, value] = added.exec(printed()) ?? [];
    if (!name || !value) throw new Error(`asked for no record: ${printed()}`);
    return { name, value };
  };
  return { asked, printed, ended };
}

export async function claimed(holder: Holder, domain: string, reference?: string) {
  const { id } = await holder.call<{ id: string }>("POST", "/domains", { domain, reference });
  return holder.call<Claim>("POST", "/claims", { domainId: id });
}
