import fs from "node:fs";
import { dirname, join } from "node:path";
import type { Env } from "./env.server.ts";
import { signingKeys } from "./formats.ts";

const MIN_FREE = 1024 * 1024;
const { R_OK, W_OK, X_OK } = fs.constants;

/** Follows links: with systemd's DynamicUser the data folder is a link. */
export const statOf = (path: string) => fs.statSync(path, { throwIfNoEntry: false });

export function reasonOf(error: unknown, path: string): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "EACCES" || code === "EPERM")
    return `${path} is closed to user ${process.getuid?.()}`;
  if (code === "EROFS") return `${path} is on a read-only file system`;
  if (code === "ENOTDIR") return `${path} is below something that is not a folder`;
  return message;
}

export function firstExisting(path: string): string {
  return statOf(path) || dirname(path) === path ? path : firstExisting(dirname(path));
}

/** Returns the free octets where a path is or will be; null if the file system does not count them. */
export function freeBytes(path: string): number | null {
  const { blocks, bavail, bsize } = fs.statfsSync(firstExisting(path));
  return blocks > 0 ? bavail * bsize : null;
}

export const isDiskFull = (path: string): boolean => (freeBytes(path) ?? MIN_FREE) < MIN_FREE;

function checkFolder(path: string): void {
  if (!statOf(path)?.isDirectory()) throw new Error(`${path} is not a folder`);
  fs.accessSync(path, R_OK | W_OK | X_OK);
  if (isDiskFull(path)) throw new Error(`the disk of ${path} has less than 1 MB left`);
}

function checkFile(path: string): void {
  const stats = statOf(path);
  if (!stats) return;
  if (!stats.isFile()) throw new Error(`${path} is not a file`);
  fs.accessSync(path, R_OK | W_OK);
}

function checkSecret(path: string, isValid: (text: string) => boolean, problem: string): void {
  checkFile(path);
  if (statOf(path) && !isValid(fs.readFileSync(path, "utf8")))
    throw new Error(`${path} has ${problem}`);
}

const checkSessionSecret = (path: string) =>
  checkSecret(path, (text) => text.trim().length >= 32, "no secret: delete it and start again");
const checkSigningKey = (path: string) =>
  checkSecret(
    path,
    (text) => signingKeys.safeParse(text).success,
    "no signing key: restore it, or delete it to begin with a new one",
  );

/** Makes one level at a time, because Node never returns from a recursive mkdir below /proc. */
function makeFolder(path: string): void {
  if (statOf(path)) return;
  makeFolder(dirname(path));
  try {
    fs.mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Tries the folder by creating something in it, because some file systems only refuse then. */
function tryFolder(path: string): void {
  try {
    makeFolder(path);
    fs.rmdirSync(fs.mkdtempSync(join(path, ".start-")));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`nothing can be created in ${path} (${code})`);
  }
}

type Check = { variable: string; rule: string; path: string; check: (path: string) => unknown };

/** Returns the checks of the database's folder and file, for one machine: in a cluster, LiteFS has them. */
function databaseChecks({ DATA_DIR, DATABASE_PATH }: Env): Check[] {
  const database = { variable: "DATABASE_PATH", rule: "a file that Deed can write" };
  const folder = dirname(DATABASE_PATH);
  const files = ["", "-wal", "-shm"].map((end) => DATABASE_PATH + end);
  return [
    // If a folder is missing, its disk may not be mounted.
    ...(folder === DATA_DIR ? [] : [{ ...database, path: folder, check: checkFolder }]),
    ...files.map((path) => ({ ...database, path, check: checkFile })),
  ];
}

const DATA_FOLDER = { variable: "DATA_DIR", rule: "a folder that Deed can write" };

function checksOf(env: Env): Check[] {
  const { DATA_DIR } = env;
  const checkUnlessGiven = (given: unknown, name: string, check: Check["check"]) =>
    given ? [] : [{ ...DATA_FOLDER, path: join(DATA_DIR, name), check }];
  return [
    { ...DATA_FOLDER, path: DATA_DIR, check: (path) => checkFolder(firstExisting(path)) },
    ...checkUnlessGiven(env.SESSION_SECRET, "session-secret", checkSessionSecret),
    ...checkUnlessGiven(env.SIGNING_KEY, "signing-key", checkSigningKey),
    ...checkUnlessGiven(env.SMTP_URL, "outbox", (path) => statOf(path) && checkFolder(path)),
    ...(env.cluster ? [] : databaseChecks(env)),
  ];
}

function firstProblems(checks: Check[]): string[] {
  const problems = new Map<string, string>();
  for (const { variable, rule, path, check } of checks) {
    if (problems.has(variable)) continue;
    try {
      check(path);
    } catch (error) {
      problems.set(variable, `${variable} must be ${rule}: ${reasonOf(error, path)}`);
    }
  }
  return [...problems.values()];
}

export const pathProblems = (env: Env): string[] => firstProblems(checksOf(env));

export const prepareDataFolder = ({ DATA_DIR }: Env): string[] =>
  firstProblems([{ ...DATA_FOLDER, path: DATA_DIR, check: tryFolder }]);
