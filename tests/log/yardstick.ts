import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { passOver } from "../support/lacks.ts";

const SOURCE = join(import.meta.dirname, "yardstick");

/**
 * The program in tests/log/yardstick, built once into .cache; null, which is said, without Go, or without its modules on
 * a machine that has no network.
 */
export function buildYardstick(): string | null {
  const sources = ["main.go", "receipt.go", "go.mod", "go.sum"].map((name) =>
    readFileSync(join(SOURCE, name)),
  );
  const key = createHash("sha256").update(Buffer.concat(sources)).digest("hex").slice(0, 16);
  const program = resolve(`.cache/log-yardstick/${key}`);
  if (existsSync(program)) return program;
  const go = (...args: string[]) =>
    spawnSync("go", args, { cwd: SOURCE, encoding: "utf8", timeout: 110_000 });
  const reasons = [
    ["Go", () => go("version").status === 0],
    ["the Go modules of tests/log/yardstick", () => go("mod", "download").status === 0],
  ] as const;
  const missing = reasons.find(([, isThere]) => !isThere());
  if (missing) {
    passOver(missing[0]);
    return null;
  }
  const built = go("build", "-o", program, ".");
  if (built.status !== 0) throw new Error(built.stderr);
  return program;
}

/** Runs a command of the program. Rejects with what it complained about. */
export function ask<T>(program: string, command: string, input: unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [command], { stdio: "pipe" });
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (chunk) => out.push(chunk));
    child.stderr.on("data", (chunk) => err.push(chunk));
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve(JSON.parse(Buffer.concat(out).toString()));
      else reject(new Error(Buffer.concat(err).toString()));
    });
    child.stdin.end(JSON.stringify(input));
  });
}
