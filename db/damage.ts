import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { hasCode, withFile } from "./client.ts";
import { packageFile } from "./package-file.ts";

/** Returns the first damage that SQLite finds, null if there is none. Reads the whole file at once. */
export function damageOf(path: string): string | null {
  try {
    const options = { readonly: true, fileMustExist: true };
    const result = withFile(path, options, (db) => db.pragma("quick_check(1)", { simple: true }));
    return result === "ok" ? null : String(result);
  } catch (error) {
    if (hasCode(error, "SQLITE_CORRUPT", "SQLITE_NOTADB")) return (error as Error).message;
    throw error;
  }
}

/** The write-ahead log cannot shrink while the file is read. A gigabyte takes a few seconds. */
const CHECK_TIMEOUT_MS = 10 * 60_000;

/** Runs `damageOf` in its own process, which ends with `signal`. Rejects if it takes more than ten minutes. */
export async function findDamage(path: string, signal: AbortSignal): Promise<string | null> {
  const args = [packageFile("build/commands/quick-check.js"), path];
  const execute = promisify(execFile);
  const { stdout } = await execute(process.execPath, args, { signal, timeout: CHECK_TIMEOUT_MS });
  return stdout.trim() || null;
}
