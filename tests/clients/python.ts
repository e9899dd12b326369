import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";

const GENERATOR = "openapi-python-client==0.29.1";
const VENV = ".cache/venv";

/**
 * Python with the generator installed, in .cache/venv, created on first use; or why it is not available here. `.ci/run`
 * installs the Debian packages it needs.
 */
export function findPython(): { python: string } | { missing: string } {
  const python = `${VENV}/bin/python`;
  const has = () =>
    existsSync(python) &&
    spawnSync(python, ["-m", "pip", "freeze"], { encoding: "utf8" }).stdout.includes(GENERATOR);
  if (has()) return { python };
  rmSync(VENV, { recursive: true, force: true });
  for (const [command, ...args] of [
    ["python3", "-m", "venv", VENV],
    [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", GENERATOR],
  ] as [string, ...string[]][]) {
    const { status, stderr, error } = spawnSync(command, args, { encoding: "utf8" });
    if (status !== 0) return { missing: `${command}: ${error?.message ?? stderr.trim()}` };
  }
  return { python };
}

/** Python with these packages, in .cache/venv-<name>, created on first use; or why it is not available here. */
export function findPackages(
  name: string,
  packages: readonly string[],
): { python: string } | { missing: string } {
  const folder = `.cache/venv-${name}`;
  const python = `${folder}/bin/python`;
  const installed = existsSync(python)
    ? spawnSync(python, ["-m", "pip", "freeze"], { encoding: "utf8" }).stdout
    : "";
  if (packages.every((one) => installed.includes(one))) return { python };
  rmSync(folder, { recursive: true, force: true });
  for (const [command, ...args] of [
    ["python3", "-m", "venv", folder],
    [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...packages],
  ] as [string, ...string[]][]) {
    const { status, stderr, error } = spawnSync(command, args, { encoding: "utf8" });
    if (status !== 0) return { missing: `${command}: ${error?.message ?? stderr.trim()}` };
  }
  return { python };
}
