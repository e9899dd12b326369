import { existsSync } from "node:fs";
import { delimiter, resolve } from "node:path";

export const LAB_PROGRAMS = [
  "knotd",
  "knotc",
  "keymgr",
  "unbound",
  "dnssec-keygen",
  "dnssec-signzone",
] as const;
export type Program = (typeof LAB_PROGRAMS)[number];
export type Software = Record<Program, string>;

// Debian installs daemons outside the PATH of ordinary users.
const FOLDERS = [
  ...(process.env.PATH ?? "").split(delimiter),
  "/usr/local/sbin",
  "/usr/sbin",
  "/sbin",
];

const find = (name: string) =>
  FOLDERS.map((folder) => resolve(folder, name)).find((path) => existsSync(path));

/** The paths of the programs, and the names of those that are missing. */
export function findSoftware<Name extends string>(
  needed: readonly Name[],
): { software: Record<Name, string>; missing: Name[] } {
  const found = needed.map((name) => [name, find(name)] as const);
  return {
    software: Object.fromEntries(found.map(([name, path]) => [name, path ?? name])) as Record<
      Name,
      string
    >,
    missing: found.filter(([, path]) => path === undefined).map(([name]) => name),
  };
}
