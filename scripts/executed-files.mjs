// `npx tsx scripts/executed-files.mjs [way …]`: which product files a request runs through. Builds the service with
// source maps, starts it on the playground's DNS, and counts the files with a function that ran between the beginning
// and the end of the request. What the worker does meanwhile is left out: only files of every repetition count.
import { readFileSync, rmSync } from "node:fs";
import { SourceMap } from "node:module";
import { relative, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { txt } from "@deed/playground/records.ts";
import { mailedToken, openClaim, roomy, signIn, startDeed } from "../tests/support/deed.ts";
import { freePort } from "../tests/support/service.ts";
import { run } from "./setup.mjs";

const ZONES = ["acme.com", "globex.com", "initech.com"];
const PRODUCT = /^(?:app|db|worker|bin|packages)\//;

/** Calls methods of V8's inspector in the service. */
async function inspectorAt(port) {
  const [{ webSocketDebuggerUrl }] = await (await fetch(`http://127.0.0.1:${port}/json`)).json();
  const socket = new WebSocket(webSocketDebuggerUrl);
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  const waiting = new Map();
  socket.addEventListener("message", ({ data }) => {
    const { id, result } = JSON.parse(data);
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  let last = 0;
  return {
    close: () => socket.close(),
    call: (method, params = {}) =>
      new Promise((resolve) => {
        waiting.set(++last, resolve);
        socket.send(JSON.stringify({ id: last, method, params }));
      }),
  };
}

/** Finds the source file of a function in a bundle; null for the bundler's own, which no source has. */
function sourcesOf(file) {
  const text = readFileSync(file, "utf8");
  const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8")));
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return ({ startOffset: offset, endOffset }) => {
    if (/^\(\) ?=> ?\w+(\[key\])?$|__getOwnPropNames/.test(text.slice(offset, endOffset)))
      return null;
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    const { originalSource } = map.findEntry(low, offset - starts[low]);
    return originalSource && relative(".", resolve("build/commands", originalSource));
  };
}

const bundles = new Map();

/** The product files with a function, not only their own evaluation, that ran since the last call. */
async function filesRun(inspector) {
  const { result } = await inspector.call("Profiler.takePreciseCoverage");
  const found = new Map();
  for (const { url, functions } of result) {
    if (!url.includes("/build/commands/")) continue;
    const file = fileURLToPath(url);
    if (!bundles.has(file)) bundles.set(file, sourcesOf(file));
    for (const { functionName, ranges } of functions) {
      const [{ startOffset, count }] = ranges;
      // A bundled module that is loaded late is a function that is named by its path.
      if (count === 0 || startOffset === 0 || /[/.]/.test(functionName)) continue;
      const source = bundles.get(file)(ranges[0]);
      if (source && PRODUCT.test(source)) found.set(source, (found.get(source) ?? 0) + 1);
    }
  }
  return found;
}

run(process.execPath, ["scripts/build.mjs", "--sourcemap"]);
process.env.DEED_COMMAND = resolve("bin/deed.mjs");
const port = await freePort();
const deed = await startDeed({
  ...roomy("PROOFS", "PAGES", "RUNS_VERIFICATION", "RUNS_ACCOUNT", "MAIL_ADDRESS", "MAILBOX"),
  ...roomy("MAIL_IP", "VERIFY", "API"),
  NODE_OPTIONS: `--inspect=127.0.0.1:${port}`,
});
const inspector = await inspectorAt(port);
await inspector.call("Profiler.enable");
await inspector.call("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

const ways = {};
async function measure(way, ask, status = 200) {
  await filesRun(inspector);
  const answer = await ask();
  const ran = await filesRun(inspector);
  if (answer.status !== status) throw new Error(`${way}: ${answer.status} ${answer.text}`);
  ways[way] ??= [];
  ways[way].push(ran);
}

try {
  const { service, playground } = deed;
  for (const zone of ZONES) {
    const email = `holder@${zone}`;
    const client = await signIn(service, email);
    const claim = await openClaim(client, zone);
    const force = () => client.post(`/api/verifications/${claim.verificationId}/runs`);
    await measure("forced run, absent", force);
    playground.addRecord(zone, txt(claim.name, claim.token));
    playground.flushWitnesses();
    await measure("forced run, proved", force);
    const link = await client.post(`/api/claims/${claim.id}/proof_links`);
    await measure("proof page", () => fetch(`${service.url}/p/${link.body.slug}`));
    await client.post("/api/auth/sign-out");
    const before = service.outbox().length;
    const ask = async () => {
      const answer = await client.post("/api/auth/magic-link", { email, callbackPath: "/domains" });
      while (service.outbox().length === before) await setTimeout(20);
      return answer;
    };
    await measure("sign-in, asked", ask, 202);
    const token = mailedToken(service, email);
    await measure("sign-in, finished", () => client.post("/api/auth/magic-link/verify", { token }));
  }
} finally {
  inspector.close();
  await deed.stop();
  rmSync("build", { recursive: true });
}

const wanted = process.argv.slice(2);
for (const [way, runs] of Object.entries(ways)) {
  const files = [...runs[0].keys()].filter((file) => runs.every((ran) => ran.has(file))).sort();
  const functions = files.reduce(
    (sum, file) => sum + Math.min(...runs.map((ran) => ran.get(file))),
    0,
  );
  console.log(`${way}: ${files.length} files, ${functions} functions`);
  if (wanted.some((name) => way.includes(name)))
    console.log(files.map((file) => `  ${file}`).join("\n"));
}
