import { readFileSync } from "node:fs";

/** The name of a user, where this machine has one for the number. */
export function userName(uid: number): string {
  try {
    const line = readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .find((one) => one.split(":")[2] === String(uid));
    return line?.split(":")[0] ?? `user ${uid}`;
  } catch {
    return `user ${uid}`;
  }
}
