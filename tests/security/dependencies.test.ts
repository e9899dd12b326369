import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it, onTestFinished } from "vitest";

// `npm run test:packed` shows that the package runs where there is no other.
type Locked = {
  version?: string;
  resolved?: string;
  integrity?: string;
  optional?: boolean;
  hasInstallScript?: boolean;
};
const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const lock: Record<string, Locked> = JSON.parse(readFileSync("package-lock.json", "utf8")).packages;
const locked = Object.entries(lock).filter(([path]) => path !== "");
/** The folders of packages that have code in the bundle. */
const shipped: string[] = JSON.parse(readFileSync("build/packages.json", "utf8"));
const nameOf = (path: string) => path.slice(path.lastIndexOf("node_modules/") + 13);

describe("dependencies", () => {
  it("are named by exact version, and locked with their digests", () => {
    const named: Record<string, string> = manifest.devDependencies;
    expect(Object.entries(named).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual(
      [],
    );
    for (const [name, version] of Object.entries(named))
      expect([name, lock[`node_modules/${name}`]?.version]).toEqual([name, version]);
    expect(locked.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"))).toEqual([]);
  });

  it("run install scripts only where package.json names them", () => {
    const scripted = locked.filter(
      ([, { hasInstallScript, optional }]) => hasInstallScript && !optional,
    );
    const names = [...new Set(scripted.map(([path]) => nameOf(path)))];
    expect(names.filter((name) => manifest.allowScripts[name] !== true)).toEqual([]);
    expect(scripted.filter(([path]) => shipped.includes(path))).toEqual([]);
  });

  it("are all bundled, so that an installation brings none", () => {
    expect(Object.keys(manifest)).not.toContain("dependencies");
    expect(shipped).toEqual(
      expect.arrayContaining(["node_modules/better-sqlite3", "node_modules/@remix-run/serve"]),
    );
    expect(shipped.filter((path) => !lock[path])).toEqual([]);
  });

  it("are listed by an SBOM, without those of development", () => {
    const { stdout, status } = spawnSync("npm", ["run", "--silent", "sbom"], {
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    });
    expect(status).toBe(0);
    const { bomFormat, components } = JSON.parse(stdout);
    const listed: string[] = components.map(({ name, group }: { name: string; group?: string }) =>
      group ? `${group}/${name}` : name,
    );
    console.log(`${listed.length} shipped components`);
    expect(bomFormat).toBe("CycloneDX");
    expect([...new Set(listed)].sort()).toEqual([...new Set(shipped.map(nameOf))].sort());
    expect(listed).not.toContain("vite");
  });

  it.each([
    ["one is known to be vulnerable", 1, "1 known-vulnerable packages ship"],
    ["none that ships is", 0, "0 known-vulnerable packages ship"],
    ["the registry cannot be asked", 0, "NOT looked up: the registry gave none (405"],
    ["npm says nothing", 0, "NOT looked up: the registry gave none (no report)"],
  ])("are asked after: %s", (what, code, words) => {
    const bad = { name: "qs", severity: "high", range: "<=6.15.3", via: [{ title: "a hole" }] };
    const shippedOne = { ...bad, nodes: ["node_modules/qs"] };
    const other = { ...bad, name: "vite", nodes: ["node_modules/vite"] };
    const said: Record<string, unknown> = {
      "one is known to be vulnerable": {
        auditReportVersion: 2,
        vulnerabilities: { qs: shippedOne },
      },
      "none that ships is": { auditReportVersion: 2, vulnerabilities: { vite: other } },
      "the registry cannot be asked": { message: "405 Method Not Allowed", statusCode: 405 },
    };
    const folder = mkdtempSync(join(tmpdir(), "deed-npm-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const text = said[what] ? JSON.stringify(said[what]) : "";
    writeFileSync(join(folder, "npm"), `#!/bin/sh\ncat <<'END'\n${text}\nEND\nexit 1\n`, {
      mode: 0o755,
    });
    const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/audit.mjs"], {
      encoding: "utf8",
      env: { NODE_ENV: "test", PATH: `${folder}:${process.env.PATH}` },
    });
    expect([status, stdout]).toEqual([code, expect.stringContaining(words)]);
    expect(stderr.includes("qs <=6.15.3: high, a hole")).toBe(code === 1);
  });

  it("asked for by what ships are Node's own alone", () => {
    const asked = readdirSync("build/commands")
      .filter((name) => name.endsWith(".js"))
      // Parsed, because the recipes that ship as pages have imports at the start of a line too.
      .flatMap(
        (name) =>
          ts.preProcessFile(readFileSync(join("build/commands", name), "utf8")).importedFiles,
      )
      .map(({ fileName }) => fileName)
      .filter((specifier) => !specifier.startsWith("."));
    expect(asked).toContain("node:http");
    expect([...new Set(asked)].filter((name) => !isBuiltin(name))).toEqual([]);
  });
});
