import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, it } from "vitest";
import { newFolder } from "../tests/support/service.ts";

const PARTS = ["app", "bin", "db", "worker", "packages", "public", "scripts"];
const PAGES = ["integrate/index.md", "operate/install.md", "pages/about.md", "handoffs.md"];
const FILES = ["remix.config.js", "postcss.config.js", "tsconfig.json", "README.md", "LICENSE"];

/** A checkout with a quick build, and a function that runs a line of a script in it. */
function checkout() {
  const folder = newFolder();
  const write = (file: string, text = "") => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
    utimesSync(join(folder, file), 1, 1);
  };
  for (const part of PARTS) write(`${part}/part`);
  for (const page of PAGES) write(`docs/${page}`);
  for (const file of FILES) write(file);
  write("scripts/release/commit.txt", "$Format$");
  const manifest = { name: "deed-server", version: "9.9.9", files: [], imports: {} };
  write("package.json", JSON.stringify(manifest));
  write(
    "scripts/build.mjs",
    `import { mkdirSync, writeFileSync } from "node:fs";
    import { buildOf } from ${JSON.stringify(resolve("scripts/release/version.mjs"))};
    mkdirSync("build/commands", { recursive: true });
    writeFileSync("build/commands/facts.json", JSON.stringify(buildOf()));
    console.log("built");`,
  );
  const run = (script: string, line: string, commit = "a") =>
    execFileSync(
      process.execPath,
      ["--input-type=module", "-e", `import * as it from "${resolve("scripts", script)}"; ${line}`],
      {
        cwd: folder,
        encoding: "utf8",
        env: { NODE_ENV: "test", PATH: process.env.PATH, DEED_COMMIT: commit.repeat(40) },
      },
    );
  return { folder, run };
}

it("builds again after a change to any page that is built in, and for another commit", () => {
  const { folder, run } = checkout();
  const builds = (commit?: string) =>
    run("setup.mjs", "it.ensureBuilt()", commit).includes("built");
  expect([builds(), builds()]).toEqual([true, false]);
  for (const page of PAGES) {
    const later = Date.now() / 1_000 + 2;
    utimesSync(join(folder, "docs", page), later, later);
    expect([page, builds()]).toEqual([page, true]);
    utimesSync(join(folder, "docs", page), 1, 1);
  }
  expect([builds("b"), builds("b")]).toEqual([true, false]);
});

it("packs one build into a folder: the one before is gone", () => {
  const { folder, run } = checkout();
  const pack = (commit: string) =>
    run(
      "release/tarball.mjs",
      `import { ensureBuilt } from "${resolve("scripts/setup.mjs")}";
      ensureBuilt();
      it.packTarball("dist");`,
      commit,
    );
  pack("a");
  pack("b");
  expect(globSync("dist/*", { cwd: folder })).toEqual([
    "dist/deed-server-9.9.9-dev.bbbbbbbbbb.tgz",
  ]);
});
