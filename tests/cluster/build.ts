import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { newFolder } from "../support/service.ts";

/** Built once, from a module that pins the version: `go install …@version` needs a list that not every proxy has. */
function build(module: string, version: string, go: string): string {
  const name = basename(module);
  const folder = join(
    resolve(process.env[`${name.toUpperCase()}_CACHE`] ?? `.cache/${name}`),
    version,
  );
  const binary = join(folder, name);
  if (existsSync(binary)) return binary;
  const source = newFolder();
  writeFileSync(
    join(source, "go.mod"),
    `module build.invalid/${name}\n\ngo ${go}\n\nrequire ${module} ${version}\n`,
  );
  mkdirSync(folder, { recursive: true });
  const { status } = spawnSync("go", ["install", `${module}/cmd/${name}`], {
    cwd: source,
    env: { ...process.env, CGO_ENABLED: "0", GOFLAGS: "-mod=mod", GOBIN: folder },
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error(`${name} ${version} could not be built`);
  return binary;
}

export const buildLitefs = () => build("github.com/superfly/litefs", "v0.5.14", "1.21");
export const buildLitestream = () =>
  build("github.com/benbjohnson/litestream", "v0.5.18", "1.26.0");
