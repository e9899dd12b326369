import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

// That what is deployed runs without development packages is shown by `npm run test:deployed`.
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
    expect(deployed.map(([path]) => nameOf(path))).toEqual(["better-sqlite3"]);
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

  it("of what is deployed are all production ones", () => {
    const files = [
      "build/index.js",
      "scripts/start.mjs",
      ...readdirSync("build/commands").map((name) => join("commands", name)),
      ...readdirSync("build/commands/assets").map((name) => join("commands/assets", name)),
    ].map((path) => (path.startsWith("commands") ? join("build", path) : path));
    const imported = files
      .filter((file) => /\.m?js$/.test(file))
      .flatMap((file) => [
        ...readFileSync(file, "utf8").matchAll(
          /^import (?:[^"']* from )?["']([^."'/][^"']*)["']/gm,
        ),
      ])
      .map(([, specifier = ""]) => specifier.split("/").slice(0, specifier[0] === "@" ? 2 : 1))
      .map((parts) => parts.join("/"))
      .filter((name) => !name.startsWith("node:") && !builtinModules.includes(name));
    expect(imported.length).toBeGreaterThan(10);
    const allowed = Object.keys(manifest.dependencies);
    expect([...new Set(imported)].filter((name) => !allowed.includes(name))).toEqual([]);
  });
});
