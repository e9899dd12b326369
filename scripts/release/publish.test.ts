import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { json } from "node:stream/consumers";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { portOf } from "#app/core/testing/servers.ts";
import { newFolder } from "../../tests/support/service.ts";

type Package = { name: string; versions: Record<string, { repository?: { url: string } }> };

/** An npm registry to publish to, and the list of its packages. */
async function registry() {
  const packages = new Map<string, Package>();
  const server = createServer(async (request, response) => {
    const name = decodeURIComponent(request.url ?? "").slice(1);
    if (request.method === "PUT") packages.set(name, (await json(request)) as Package);
    const found = packages.get(name);
    response.writeHead(found ? 200 : 404).end(JSON.stringify(found ?? {}));
  });
  return { packages, host: `127.0.0.1:${await portOf(server)}` };
}

const SITE = "https://github.example";
const VERSION = "9.9.9";
const PUBLISHED = { "deed-server": "deed-server", "deed-client": "@deed/client" };

it("publishes each package once, as from the repository that a workflow runs in", async () => {
  const folder = newFolder();
  writeFileSync(join(folder, "package.json"), JSON.stringify({ published: PUBLISHED }));
  for (const [kind, name] of Object.entries(PUBLISHED)) {
    mkdirSync(join(folder, kind, "package"), { recursive: true });
    const manifest = JSON.stringify({ name, version: VERSION });
    writeFileSync(join(folder, kind, "package/package.json"), manifest);
    mkdirSync(join(folder, "dist"), { recursive: true });
    const tarball = join(folder, `dist/${kind}-${VERSION}.tgz`);
    execFileSync("tar", ["-czf", tarball, "-C", join(folder, kind), "package"]);
  }
  const { packages, host } = await registry();
  writeFileSync(
    join(folder, ".npmrc"),
    `registry=http://${host}/\n//${host}/:_authToken=token\ncache=${folder}/cache\nfetch-retries=0\n`,
  );
  const publish = (more = {}) =>
    promisify(execFile)(process.execPath, [resolve("scripts/release/publish.mjs")], {
      cwd: folder,
      env: { NODE_ENV: "test", PATH: process.env.PATH, GITHUB_SERVER_URL: SITE, ...more },
    });

  await publish({ GITHUB_REPOSITORY: "someone/deed" });
  const urls = [...packages.values()].map(({ versions }) => versions[VERSION]?.repository?.url);
  expect(urls).toEqual(Array(2).fill(`git+${SITE}/someone/deed.git`));

  packages.delete("deed-server");
  const { stdout } = await publish();
  expect(stdout).toContain("@deed/client@9.9.9 is published already");
  expect(packages.get("deed-server")?.versions[VERSION]).not.toHaveProperty("repository");
});
