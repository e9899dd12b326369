import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { productFolder } from "../support/product.ts";
import { newFolder } from "../support/service.ts";

// `npm run test:packed` shows that the package runs where no other is installed.
type Locked = {
  version?: string;
  resolved?: string;
  integrity?: string;
  optional?: boolean;
  hasInstallScript?: boolean;
  link?: boolean;
  dependencies?: Record<string, string>;
};
const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const tests = JSON.parse(readFileSync("packages/checks/package.json", "utf8"));
const lock: Record<string, Locked> = JSON.parse(readFileSync("package-lock.json", "utf8")).packages;
/** This project's own packages. */
const own = Object.entries(lock).filter(([path]) => path.startsWith("packages/"));
const locked = Object.entries(lock).filter(
  ([path, { link }]) => path.includes("node_modules/") && !link,
);
const COMMANDS = join(productFolder(), "build/commands");
/** The packages with code in the bundle: each licence begins with its package and version. */
const shipped = readFileSync(join(COMMANDS, "licences.txt"), "utf8")
  .split(/^-{72}$/m)
  .map((text) => text.trim().split(" ")[0] ?? "");
const nameOf = (path: string) => path.slice(path.lastIndexOf("node_modules/") + 13);

describe("dependencies", () => {
  it("are named by exact version, and locked with their digests", () => {
    const named: Record<string, string> = {
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...tests.devDependencies,
    };
    expect(Object.entries(named).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual(
      [],
    );
    expect(own.length).toBeGreaterThan(3);
    for (const [, { dependencies = {} }] of own)
      for (const [name, version] of Object.entries(dependencies))
        expect([name, version]).toEqual([name, named[name] ?? manifest.version]);
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
    expect(scripted.filter(([path]) => shipped.includes(nameOf(path)))).toEqual([]);
  });

  it("are those in package.json, without development dependencies", () => {
    const all = [manifest.dependencies, manifest.devDependencies, tests.devDependencies].flatMap(
      Object.keys,
    );
    expect(all.filter((name) => shipped.includes(name)).sort()).toEqual(
      Object.keys(manifest.dependencies).sort(),
    );
  });

  it("of the build are not among those that only checks need", () => {
    const files = ["build.mjs", "bundle.mjs", "saved-page.mjs", "client-types.ts"];
    const asked = files.flatMap(
      (file) => ts.preProcessFile(readFileSync(`scripts/${file}`, "utf8")).importedFiles,
    );
    const client = JSON.parse(readFileSync("packages/client/package.json", "utf8"));
    const { prepack, commonjs } = client.scripts;
    const commands = [prepack, commonjs].flatMap((script) => script.match(/(?:^|(?<=&& ))\w+/g));
    expect(commands).toEqual(["tsx", "tsc", "npm", "esbuild", "cp", "echo"]);
    const needed = [...asked.map(({ fileName }) => fileName), "tsx", "typescript", "esbuild"];
    expect(needed).toContain("openapi-typescript");
    expect(needed.filter((name) => name in tests.devDependencies)).toEqual([]);
  });

  it("are listed by an SBOM, without those of development", () => {
    const made = () =>
      spawnSync("npm", ["run", "--silent", "sbom"], {
        encoding: "utf8",
        maxBuffer: 64 * 1024 * 1024,
      });
    const { stdout, status } = made();
    expect(status).toBe(0);
    expect(made().stdout).toBe(stdout);
    const { bomFormat, specVersion, serialNumber, components } = JSON.parse(stdout);
    const listed: string[] = components.map(({ name, group }: { name: string; group?: string }) =>
      group ? `${group}/${name}` : name,
    );
    expect([bomFormat, specVersion]).toEqual(["CycloneDX", expect.stringMatching(/^1\.\d$/)]);
    expect(serialNumber).toMatch(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect([...new Set(listed)].sort()).toEqual([...new Set(shipped)].sort());
    expect(listed).not.toContain("vite");
  });

  it.each([
    ["one that ships is known to be vulnerable", 1, "1 known-vulnerable packages ship"],
    ["the registry cannot be asked", 0, "NOT looked up: the registry gave none (405"],
  ])("are asked after: %s", (_, code, words) => {
    const bad = { severity: "high", range: "<=6.15.3", via: [{ title: "a hole" }] };
    const vulnerabilities = {
      qs: { ...bad, name: "qs", nodes: ["node_modules/qs"] },
      vite: { ...bad, name: "vite", nodes: ["node_modules/vite"] },
    };
    const said = code
      ? { auditReportVersion: 2, vulnerabilities }
      : { message: "405 Method Not Allowed", statusCode: 405 };
    const folder = newFolder();
    const npm = `#!/bin/sh\ncat <<'END'\n${JSON.stringify(said)}\nEND\nexit 1\n`;
    writeFileSync(join(folder, "npm"), npm, { mode: 0o755 });
    const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/audit.mjs"], {
      encoding: "utf8",
      env: { NODE_ENV: "test", PATH: `${folder}:${process.env.PATH}` },
    });
    expect([status, stdout]).toEqual([code, expect.stringContaining(words)]);
    expect(stderr.includes("qs <=6.15.3: high, a hole")).toBe(code === 1);
    expect(stderr).not.toContain("vite");
  });

  it("asked for by what ships are Node's own alone", () => {
    const sources = readdirSync(COMMANDS)
      .filter((name) => name.endsWith(".js"))
      .map((name) => readFileSync(join(COMMANDS, name), "utf8"));
    const asked = sources
      // Parsed, because the recipes that ship as pages also have imports at the start of a line.
      .flatMap((source) => [
        ...ts.preProcessFile(source).importedFiles.map(({ fileName }) => fileName),
        // A bundler keeps a `require` that it cannot resolve, under another name.
        ...[...source.matchAll(/\b_*require\d*\("([^"]+)"\)/g)].map(([, name = ""]) => name),
      ])
      // fsevents is only for Macs, and optional.
      .filter((specifier) => !specifier.startsWith(".") && specifier !== "fsevents");
    expect(asked).toContain("node:http");
    expect([...new Set(asked)].filter((name) => !isBuiltin(name))).toEqual([]);
  });
});
