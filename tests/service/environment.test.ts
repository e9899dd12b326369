import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { deedCommand, productFolder } from "../support/product.ts";

const startWith = (env: Record<string, string>) =>
  spawnSync(deedCommand(), ["serve"], {
    env: {
      NODE_ENV: "production",
      PATH: process.env.PATH,
      DATA_DIR: mkdtempSync(join(tmpdir(), "deed-")),
      ...env,
    },
    encoding: "utf8",
    timeout: 20_000,
  });

it("does not start on a Node that is not supported, and says which are", () => {
  const old = `Object.defineProperty(process, "versions", { value: { node: "20.20.2" } })`;
  const script = join(productFolder(), "bin/deed.mjs");
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(old)}`, script, "serve"],
    { encoding: "utf8" },
  );
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toBe(
    "Deed runs on Node 22 and newer; this is 20.20.2. Install a newer one, or Deed's archive, which brings Node.\n",
  );
});

// C21.3, C19.8
describe("a bad environment variable", () => {
  it.each([
    ["PORT", "abc"],
    ["DNS_ROOT_HINTS", "/does/not/exist"],
  ])("%s=%s stops the start with one line that names it", (name, value) => {
    const { status, stdout, stderr } = startWith({ [name]: value });
    expect(status).toBe(1);
    expect(stdout).toBe("");
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).toContain(`${name} must be `);
  });
});
