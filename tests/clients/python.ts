import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { passOver } from "../support/lacks.ts";

/** Python with these packages, made on first use; null, which is said, if it cannot be had (in CI it throws). */
export function findPackages(name: string, packages: readonly string[]): string | null {
  const folder = `.cache/venv-${name}`;
  const python = `${folder}/bin/python`;
  const installed = existsSync(python)
    ? spawnSync(python, ["-m", "pip", "freeze"], { encoding: "utf8" }).stdout
    : "";
  if (packages.every((one) => installed.includes(one))) return python;
  rmSync(folder, { recursive: true, force: true });
  for (const [command, ...args] of [
    ["python3", "-m", "venv", folder],
    [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...packages],
  ] as [string, ...string[]][]) {
    const { status, stderr, error } = spawnSync(command, args, { encoding: "utf8" });
    if (status === 0) continue;
    const reason = `${command}: ${error?.message ?? stderr.trim()}`;
    if (process.env.CI) throw new Error(reason);
    console.warn(reason);
    passOver(`Python with ${packages.join(", ")}`);
    return null;
  }
  return python;
}
