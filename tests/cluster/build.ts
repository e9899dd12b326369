import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

type Program = { name: string; module: string; version: string; go: string };

const LITEFS = {
  name: "litefs",
  module: "github.com/superfly/litefs",
  version: "v0.5.14",
  go: "1.21",
};
const LITESTREAM = {
  name: "litestream",
  module: "github.com/benbjohnson/litestream",
  version: "v0.5.18",
  go: "1.26.0",
};

/** Built once, from a module that pins the version: `go install …@version` needs a list that not every proxy has. */
function build({ name, module, version, go }: Program): string {
  const folder = join(
    resolve(process.env[`${name.toUpperCase()}_CACHE`] ?? `.cache/${name}`),
    version,
  );
  const binary = join(folder, name);
  if (existsSync(binary)) return binary;
  const source = mkdtempSync(join(tmpdir(), `deed-${name}-`));
  try {
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
  } finally {
    rmSync(source, { recursive: true, force: true });
  }
}

export const buildLitefs = () => build(LITEFS);
export const buildLitestream = () => build(LITESTREAM);
