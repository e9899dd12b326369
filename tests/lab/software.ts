import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const NEEDED = ["knotd", "knotc", "keymgr", "unbound", "openssl"] as const;
export type Program = (typeof NEEDED)[number];
export type Software = Record<Program, string>;

// Debian keeps daemons where the PATH of a plain account does not look.
const FOLDERS = [
  ...(process.env.PATH ?? "").split(delimiter),
  "/usr/local/sbin",
  "/usr/sbin",
  "/sbin",
];

const isProgram = (path: string) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const find = (name: string) => FOLDERS.map((folder) => join(folder, name)).find(isProgram);

/** Where the programs are, and the names of those that are not here. */
export function findSoftware(): { software: Software; missing: Program[] } {
  const found = NEEDED.map((name) => [name, find(name)] as const);
  const paths = Object.fromEntries(found.map(([name, path]) => [name, path ?? name]));
  return {
    software: {
      knotd: paths.knotd ?? "",
      knotc: paths.knotc ?? "",
      keymgr: paths.keymgr ?? "",
      unbound: paths.unbound ?? "",
      openssl: paths.openssl ?? "",
    },
    missing: found.filter(([, path]) => path === undefined).map(([name]) => name),
  };
}
