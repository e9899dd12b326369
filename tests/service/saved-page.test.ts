import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { productFolder, productVersion } from "../support/product.ts";
import { newFolder } from "../support/service.ts";

const PARTS = ["app", "db", "packages", "public", "scripts", "package.json", "tsconfig.json"];

/** The output of a script that calls scripts/saved-page.mjs in a folder with the sources. */
function saved(script: string, cwd: string, env: Record<string, string> = {}): string {
  const code = `import * as saved from "./scripts/saved-page.mjs"; process.stdout.write(${script})`;
  return execFileSync(process.execPath, ["--input-type=module", "-e", code], {
    cwd,
    env: { ...process.env, NODE_ENV: "production", ...env },
    encoding: "utf8",
    maxBuffer: 8 * 1024 * 1024,
  });
}

it("a build elsewhere and elsewhen gives the same page that checks receipts", () => {
  const odd = { TZ: "Pacific/Kiritimati", LANG: "tr_TR.UTF-8", SOURCE_DATE_EPOCH: "1" };
  const { version } = productVersion();
  const folder = newFolder();
  for (const part of PARTS) cpSync(part, join(folder, part), { recursive: true });
  mkdirSync(join(folder, "build"));
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  const page = saved(`await saved.savedPageText("${version}")`, folder, odd);
  const shipped = readFileSync(join(productFolder(), "public/deed-verify.html"), "utf8");
  expect(page === shipped).toBe(true);
});

it("the notes of a release have its newest changes and the hash of that page", () => {
  const changes = "# Changelog\\n\\n## Unreleased\\n\\n- New.\\n\\n## 0.1.0\\n\\n- Old.\\n";
  const notes = saved(`saved.releaseNotes("1.2.3", "${changes}", "abc")`, ".");
  expect(notes).toMatch(/^# Deed 1\.2\.3\n\n- New\.\n\n## The page that checks receipts\n/);
  expect(notes).not.toContain("Old");
  // The SHA-256 of "abc" in FIPS 180-2.
  expect(notes).toContain("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
