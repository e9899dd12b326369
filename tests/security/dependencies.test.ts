import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";

// `npm run test:deployed` shows that the deployed service runs without development packages.
type Locked = {
  version?: string;
  resolved?: string;
  integrity?: string;
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
};
const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const lock: Record<string, Locked> = JSON.parse(readFileSync("package-lock.json", "utf8")).packages;
const locked = Object.entries(lock).filter(([path]) => path !== "");
const isProduction = (path: string) => lock[path] !== undefined && !lock[path].dev;
const nameOf = (path: string) => path.slice(path.lastIndexOf("node_modules/") + 13);

describe("dependencies", () => {
  it("are named by exact version, and locked with their digests", () => {
    const named: Record<string, string> = { ...manifest.dependencies, ...manifest.devDependencies };
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
    const deployed = scripted.filter(([, { dev, devOptional }]) => !dev && !devOptional);
    expect(deployed.map(([path]) => nameOf(path))).toEqual([]);
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
    console.log(`${listed.length} production components`);
    expect(bomFormat).toBe("CycloneDX");
    const deployed = locked.filter(([, { dev, devOptional }]) => !dev && !devOptional);
    expect(deployed.map(([path]) => nameOf(path)).filter((name) => !listed.includes(name))).toEqual(
      [],
    );
    expect(Object.keys(manifest.dependencies).filter((name) => !listed.includes(name))).toEqual([]);
    expect(Object.keys(manifest.devDependencies).filter((name) => listed.includes(name))).toEqual(
      [],
    );
  });

  it.each([
    ["one is known to be vulnerable", 1, "1 known-vulnerable production packages"],
    ["none is", 0, "0 known-vulnerable production packages"],
    ["the registry cannot be asked", 0, "NOT looked up: the registry gave none (405"],
    ["npm says nothing", 0, "NOT looked up: the registry gave none (no report)"],
  ])("are asked after: %s", (what, code, words) => {
    const bad = { name: "qs", severity: "high", range: "<=6.15.3", via: [{ title: "a hole" }] };
    const said: Record<string, unknown> = {
      "one is known to be vulnerable": { auditReportVersion: 2, vulnerabilities: { qs: bad } },
      "none is": { auditReportVersion: 2, vulnerabilities: {} },
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

  it("bundled into the server are all production ones", () => {
    const { inputs } = JSON.parse(readFileSync("build/metafile.server.json", "utf8"));
    const packageOf = (file: string) =>
      /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.slice(1) ?? [];
    const bundled = new Set(Object.keys(inputs).flatMap(packageOf));
    expect(bundled.size).toBeGreaterThan(5);
    expect([...bundled].filter((path) => !isProduction(path))).toEqual([]);
  });

  it("asked for by what is deployed are all production ones", () => {
    const files = [
      "build/index.js",
      "bin/deed.mjs",
      ...["build/commands", "build/commands/assets"].flatMap((folder) =>
        readdirSync(folder).map((name) => join(folder, name)),
      ),
    ];
    const asked = files
      .filter((file) => /\.[cm]?js$/.test(file))
      .flatMap((file) => [
        ...readFileSync(file, "utf8").matchAll(
          /(?:^import (?:[^"']* from )?|\brequire\()["']([^."'/][^"']*)["']/gm,
        ),
      ])
      .map(([, specifier = ""]) => specifier.split("/").slice(0, specifier[0] === "@" ? 2 : 1))
      .map((parts) => parts.join("/"))
      .filter((name) => !name.startsWith("node:") && !builtinModules.includes(name));
    expect(asked).toContain("better-sqlite3");
    expect([...new Set(asked)].filter((name) => !isProduction(`node_modules/${name}`))).toEqual([]);
  });
});
