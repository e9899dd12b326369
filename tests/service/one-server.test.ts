import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { productFolder } from "../support/product.ts";
import { closed, freePort, newFolder, startService } from "../support/service.ts";

const CLI = resolve("node_modules/@remix-run/serve/dist/cli.js");

/** Preloaded to run the build on plain remix-serve: silences the diagnostics channel that installs the intake. */
const WITHOUT_INTAKE = `import diagnostics from "node:diagnostics_channel";
import { syncBuiltinESMExports } from "node:module";
diagnostics.subscribe = () => {};
syncBuiltinESMExports();`;

it("answers the API under plain remix-serve: its route is a resource route like any", async () => {
  const port = await freePort();
  const dataDir = newFolder();
  const preload = `data:text/javascript,${encodeURIComponent(WITHOUT_INTAKE)}`;
  const child = spawn(process.execPath, ["--import", preload, CLI, "build/commands/index.js"], {
    cwd: productFolder(),
    env: { ...closed(), PORT: String(port), DATA_DIR: dataDir },
    stdio: "pipe",
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false }))
    if (String(chunk).includes('"listening"')) break;
  child.stdout.resume();
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`http://localhost:${port}${path}`, init);
  const health = await ask("/api/health");
  expect(health.headers.get("keep-alive")).toBe("timeout=5");
  expect([health.status, await health.json()]).toEqual([
    200,
    expect.objectContaining({ status: "ok" }),
  ]);
  const missing = await ask("/api/nothing?x=1");
  expect([missing.status, await missing.json()]).toMatchObject([
    404,
    { error: { code: "not_found" } },
  ]);
  const refused = await ask("/api/health", { method: "DELETE" });
  expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  const mailed = await ask("/api/auth/magic-link", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email: "mara@acme.example" }),
  });
  expect(mailed.status).toBe(202);
});

it("answers each as remix-serve or past it, with no line of remix-serve's or morgan's", async () => {
  const service = await startService();
  for (const [path, status] of [
    ["/api/health", 200],
    ["/", 200],
    ["/nowhere?token=secret", 404],
    ["/favicon.svg", 200],
    ["/preview.png", 200],
    ["/build/nothing.js", 404],
  ] as const)
    expect([path, (await fetch(service.url + path)).status]).toEqual([path, status]);
  await service.stop();
  const lines = service.output().split("\n");
  const paths = lines.flatMap((line) => /"path":"([^"]*)".*"msg":"request"/.exec(line)?.[1] ?? []);
  expect(paths.filter((path) => path !== "/api/health")).toEqual([
    "/",
    "/nowhere?token=secret",
    "/build/nothing.js",
  ]);
  expect(lines.filter((line) => line !== "" && !line.startsWith('{"level":'))).toEqual([]);
  expect(lines.filter((line) => line.includes('"msg":"listening"'))).toHaveLength(1);
});
