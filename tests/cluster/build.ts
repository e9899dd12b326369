import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export const LITEFS_VERSION = "v0.5.14";

const cache = () => resolve(process.env.LITEFS_CACHE ?? ".cache/litefs");
const binary = () => join(cache(), LITEFS_VERSION, "litefs");

/**
 * The LiteFS binary, built once into a cache (LITEFS_CACHE, default .cache/litefs). Installed from a module that pins
 * it: `go install …@version` also needs the module's list of versions, which not every Go proxy serves.
 */
export function buildLitefs(): string {
  if (existsSync(binary())) return binary();
  const folder = mkdtempSync(join(tmpdir(), "deed-litefs-"));
  try {
    writeFileSync(
      join(folder, "go.mod"),
      `module build.invalid/litefs\n\ngo 1.21\n\nrequire github.com/superfly/litefs ${LITEFS_VERSION}\n`,
    );
    mkdirSync(join(cache(), LITEFS_VERSION), { recursive: true });
    const { status } = spawnSync("go", ["install", "github.com/superfly/litefs/cmd/litefs"], {
      cwd: folder,
      env: {
        ...process.env,
        CGO_ENABLED: "0",
        GOFLAGS: "-mod=mod",
        GOBIN: join(cache(), LITEFS_VERSION),
      },
      stdio: ["ignore", "ignore", "inherit"],
    });
    if (status !== 0) throw new Error(`LiteFS ${LITEFS_VERSION} could not be built`);
    return binary();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
