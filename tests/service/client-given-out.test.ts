import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { inName } from "../../scripts/release/version.mjs";
import { ADMIN, targetService } from "../contract/kit.ts";
import { says } from "../contract/sentences.ts";
import { deedCommand, productFolder, productVersion } from "../support/product.ts";
import { freePort, newFolder, startService } from "../support/service.ts";

const target = targetService();
const [BEFORE, NEXT] = ["9.9.8", "9.9.9"];

/** The product as built for another version, with another client file. */
function productOf(version: string): string {
  const folder = newFolder();
  cpSync(productFolder(), folder, { recursive: true });
  const facts = join(folder, "build/commands/facts.json");
  const built = JSON.parse(readFileSync(facts, "utf8"));
  writeFileSync(facts, JSON.stringify({ ...built, version }));
  const own = join(folder, `public/deed-client-${productVersion().inNames}.tgz`);
  const tree = newFolder();
  spawnSync("tar", ["-xzf", own, "-C", tree]);
  const manifest = join(tree, "package/package.json");
  writeFileSync(
    manifest,
    readFileSync(manifest, "utf8").replace(/"version": ".*"/, `"version": "${version}"`),
  );
  rmSync(own);
  const other = join(folder, `public/deed-client-${inName(version)}.tgz`);
  spawnSync("tar", ["-czf", other, "-C", tree, "package"]);
  cpSync(other, join(folder, "public/deed-client.tgz"));
  return join(folder, "bin/deed.mjs");
}

function npm(cwd: string, ...args: string[]) {
  const quiet = ["--no-audit", "--no-fund", `--cache=${newFolder()}`];
  const { status, stderr } = spawnSync("npm", [...args, ...quiet], { cwd, encoding: "utf8" });
  return { status, stderr };
}

it(`${says("C20.5")}: npm ci with a lock of the version before`, async () => {
  const port = await freePort();
  const before = await startService({ port, command: productOf(BEFORE) });
  const { url, dataDir } = before;
  const page = await (await fetch(`${url}/docs/integrate/typescript`)).text();
  const [address = ""] = /(?<=\$DEED_URL\/)deed-client-[\w.-]+\.tgz/.exec(page) ?? [];
  expect(address).toBe(`deed-client-${BEFORE}.tgz`);
  const [pinned, floating] = [newFolder(), newFolder()];
  expect(npm(pinned, "install", `${url}/${address}`)).toMatchObject({ status: 0 });
  expect(npm(floating, "install", `${url}/deed-client.tgz`)).toMatchObject({ status: 0 });
  await before.stop();

  const after = await startService({ port, dataDir, command: productOf(NEXT) });
  onTestFinished(() => after.kill());
  const versionIn = (folder: string) =>
    JSON.parse(readFileSync(join(folder, "node_modules/@deed/client/package.json"), "utf8"))
      .version;
  for (const folder of [pinned, floating])
    rmSync(join(folder, "node_modules"), { recursive: true });
  expect(npm(pinned, "ci")).toEqual({ status: 0, stderr: "" });
  expect(versionIn(pinned)).toBe(BEFORE);
  expect(npm(pinned, "install", `${url}/deed-client-${NEXT}.tgz`)).toMatchObject({ status: 0 });
  expect(versionIn(pinned)).toBe(NEXT);
  // "A lock file that names it fails after the next upgrade."
  expect(npm(floating, "ci").stderr).toContain("EINTEGRITY");

  const { headers } = await fetch(`${url}/${address}`);
  expect(headers.get("Cache-Control")).toContain("immutable");
  for (const name of [
    "deed-client-0.0.0.tgz",
    "deed-client-..%2fdeed.db",
    "deed-client-%2e%2e/deed.db.tgz",
  ])
    expect((await fetch(`${url}/${name}`)).status).toBe(404);
});

it("keeps no client of a checkout with changes, whose name the next build may have too", async () => {
  const version = `${BEFORE}-dev+0123456789.changed`;
  const service = await startService({ command: productOf(version) });
  onTestFinished(() => service.kill());
  const { status, headers } = await fetch(`${service.url}/deed-client-${inName(version)}.tgz`);
  expect(status).toBe(200);
  expect(headers.get("Cache-Control")).not.toContain("immutable");
  expect(readdirSync(join(service.dataDir, "clients"))).toEqual([]);
});

it(says("C21.18"), async () => {
  const { url } = target();
  const { version } = productVersion();
  expect(version).toMatch(/^\d+\.\d+\.\d+(-dev(\.\d+)?\+[0-9a-f]{10}(\.changed)?)?$/);
  const printed = spawnSync(deedCommand(), ["--version"], { encoding: "utf8" });
  expect(printed.stdout).toBe(`${version}\n`);
  const health = (await (await fetch(`${url}/api/health`)).json()) as object;
  expect(health).toMatchObject({ version });
  const foot = async (email: string) => {
    const { text } = await (await target().signIn(email)).get("/domains");
    return /<footer.*<\/footer>/s.exec(text)?.[0].replaceAll("<!-- -->", "");
  };
  expect(await foot(ADMIN)).toContain(`Deed ${version}<`);
  expect(await foot("kim@holder.example")).toContain("Deed <");
  expect(await (await fetch(url)).text()).not.toContain(version);
});
