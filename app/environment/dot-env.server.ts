import { existsSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";

export function readDotEnv(): NodeJS.Dict<string> {
  const path = resolve(".env");
  // The file also counts as missing if this user cannot enter the working directory: `sudo -u deed deed` in /root.
  if (!existsSync(path)) return {};
  try {
    // The decoder drops the byte order mark that Windows puts in front.
    return parseEnv(new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path)));
  } catch (error) {
    throw new Error(`${path} cannot be read${reasonOf(error as NodeJS.ErrnoException, path)}`);
  }
}

function reasonOf({ code, message }: NodeJS.ErrnoException, path: string): string {
  if (code === "EISDIR") return ": it is a folder";
  if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") return ": it is not UTF-8 text";
  if (code !== "EACCES") return `: ${message}`;
  return ` by ${userName(process.getuid?.() ?? 0)} (EACCES): it belongs to ${userName(statSync(path).uid)}`;
}

export function userName(uid: number): string {
  try {
    const line = readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .find((entry) => entry.split(":")[2] === String(uid));
    return line?.split(":")[0] ?? `user ${uid}`;
  } catch {
    return `user ${uid}`;
  }
}
