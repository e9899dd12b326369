import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { messageOf } from "./error-messages.ts";

/** Settings that are never shown. Each may be in a file, named by `<NAME>_FILE`. */
export const SECRET_VARIABLES: readonly string[] = [
  "SESSION_SECRET",
  "SIGNING_KEY",
  "CLUSTER_SECRET",
  "SMTP_URL",
  "OIDC_CLIENT_SECRET",
  "METRICS_TOKEN",
];

const MAX_BYTES = 64 * 1024;

/** Reads the secrets that are in files. A newline at the end of a file does not belong to the secret. */
export function withSecretFiles(given: Record<string, string>) {
  const result = {
    given: { ...given },
    problems: [] as string[],
    readableByAll: [] as string[],
  };
  for (const name of SECRET_VARIABLES) {
    const variable = `${name}_FILE`;
    const path = given[variable];
    if (path === undefined) continue;
    delete result.given[variable];
    if (given[name] !== undefined) {
      result.problems.push(`${variable} must not be set beside ${name}: remove one`);
      continue;
    }
    try {
      const { text, mode } = readSecret(path);
      result.given[name] = text;
      if (mode & 0o004) result.readableByAll.push(variable);
    } catch (error) {
      const reason = messageOf(error);
      result.problems.push(`${variable} must name a readable file with the secret: ${reason}`);
    }
  }
  return result;
}

function readSecret(path: string): { text: string; mode: number } {
  // Without O_NONBLOCK, opening a pipe would wait for its writer.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw new Error(`${path} is not a file`);
    const bytes = Buffer.alloc(MAX_BYTES + 1);
    const length = readSync(file, bytes);
    if (length > MAX_BYTES) throw new Error(`${path} is larger than ${MAX_BYTES} bytes`);
    const text = bytes.toString("utf8", 0, length).replace(/\r?\n$/, "");
    if (text === "") throw new Error(`${path} is empty`);
    return { text, mode: stat.mode };
  } finally {
    closeSync(file);
  }
}
