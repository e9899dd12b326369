// `npm run demo`: the real service on a separate DNS playground, with a registrar panel. Needs no network.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ensureBuilt } from "./setup.mjs";

const START_MS = 60_000;
const STOP_MS = 7_000;
const OUTBOX_MS = 300;
const KEPT_LINES = 40;

/** Keeps settings in .env from reaching the demo: an empty variable counts as unset. */
const UNSET = Object.fromEntries(
  [
    "BASE_URL",
    "DATABASE_PATH",
    "SESSION_SECRET",
    "SMTP_URL",
    "MAIL_FROM",
    "OIDC_ISSUER",
    "DOCS_URL",
    "CHALLENGE_LABEL",
    "TOKEN_PREFIX",
    "TRUSTED_PROXIES",
  ].map((name) => [name, ""]),
);

const children = [];
let ending = false;

/** Ends every child, then this process. */
async function end(code, reason) {
  if (ending) return;
  ending = true;
  if (reason) console.error(`\n${reason}`);
  const running = children.filter(({ exitCode, signalCode }) => exitCode === null && !signalCode);
  const gone = running.map((child) => new Promise((resolve) => child.once("exit", resolve)));
  for (const child of running) child.kill("SIGTERM");
  const impatient = setTimeout(() => {
    for (const child of running) child.kill("SIGKILL");
  }, STOP_MS);
  await Promise.all(gone);
  clearTimeout(impatient);
  rmSync(dataDir, { recursive: true, force: true });
  process.exit(code);
}

/**
 * Starts a Node program. When it exits, the demo ends and prints its last lines. Calls `onLine` for each line of
 * output.
 */
function start(name, args, env, onLine = () => {}) {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", (line) => {
      said.push(line);
      if (said.length > KEPT_LINES) said.shift();
      onLine(line);
    });
  child.once("error", (error) => end(1, `${name} did not start: ${error.message}`));
  child.once("close", (code, signal) =>
    end(1, `${name} ended (${signal ?? `exit code ${code}`}):\n${said.join("\n")}`),
  );
  children.push(child);
}

const isFree = (port, host) =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", ({ code }) =>
      resolve(code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT"),
    );
    server.listen({ port, host }, () => server.close(() => resolve(true)));
  });

/** The first free port, starting at `port`. */
async function freePort(port) {
  for (let each = port; each < 65_536; each++)
    if ((await isFree(each, "127.0.0.1")) && (await isFree(each, "::1"))) return each;
  return end(1, `There is no free port from ${port} on.`);
}

async function waitFor(what, look) {
  const giveUpAt = Date.now() + START_MS;
  while (Date.now() < giveUpAt) {
    const seen = await look();
    if (seen) return seen;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return end(1, `${what} did not answer within ${START_MS / 1000} s.`);
}

function tellMail(text) {
  const subject = /^Subject: (.*)$/m.exec(text)?.[1] ?? "";
  const to = /^To: (.*)$/m.exec(text)?.[1] ?? "";
  console.log(`\nMail to ${to}: ${subject}`);
  const link = /https?:\/\/\S+\/sign-in\/confirm\?token=[\w-]+/.exec(text)?.[0];
  const code = /^\s*(\d{6})\s*$/m.exec(text)?.[1];
  if (link) console.log(`  Link  ${link}`);
  if (code) console.log(`  Code  ${code}`);
}

/** Prints each mail as it arrives in the outbox. */
async function watchOutbox(folder) {
  const told = new Set();
  while (!ending) {
    for (const name of (await readdir(folder).catch(() => [])).sort()) {
      if (told.has(name) || !name.endsWith(".eml")) continue;
      told.add(name);
      tellMail(await readFile(join(folder, name), "utf8"));
    }
    await new Promise((resolve) => setTimeout(resolve, OUTBOX_MS));
  }
}

const wanted = Number(process.env.PORT || 3000);
if (!Number.isInteger(wanted) || wanted < 1 || wanted > 65_535) {
  console.error("PORT must be a port number from 1 to 65535");
  process.exit(1);
}
ensureBuilt();

const dataDir = mkdtempSync(join(tmpdir(), "deed-demo-"));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => end(0));
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

const port = await freePort(wanted);
const url = `http://localhost:${port}`;
const panelPort = await freePort(port + 1);

let playground = null;
start(
  "The DNS playground",
  ["--import", "tsx", "scripts/playground/main.ts", url, String(panelPort)],
  {},
  (line) => {
    if (!playground && line.startsWith("{")) playground = JSON.parse(line);
  },
);
const { env, panelUrl } = await waitFor("The DNS playground", () => playground);

start("Deed", ["bin/deed.mjs", "serve"], {
  ...UNSET,
  ...env,
  NODE_ENV: "production",
  HOST: "127.0.0.1",
  PORT: String(port),
  DATA_DIR: dataDir,
});
await waitFor("Deed", () =>
  fetch(`http://127.0.0.1:${port}/api/health`).then(
    (answer) => answer.ok,
    () => false,
  ),
);

console.log(`
Deed is running on a DNS of its own; no network is used.

  Deed             ${url}
  Registrar panel  ${panelUrl}

  1. Open Deed and sign in with any address. The link and the code appear here.
  2. Add acme.com and claim it.
  3. In the panel, open acme.com and add the TXT record that the claim shows.
  4. Wait: Deed finds it by itself, half a minute after the claim began. Then publish the proof.

  ${panelUrl}/situations has thirteen mistakes and four waits to try.

Ctrl-C ends it; nothing is kept.`);
watchOutbox(join(dataDir, "outbox")).catch((error) => end(1, error.message));
