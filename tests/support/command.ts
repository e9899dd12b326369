import { spawnSync } from "node:child_process";
import { deedCommand } from "./product.ts";
import { closed } from "./service.ts";

const NOBODY = 65534;
export const isRoot = process.getuid?.() === 0;

type Run = {
  cwd?: string;
  env?: Record<string, string>;
  /** Not as root, whom no file mode stops. */
  asPlainUser?: boolean;
};

export function deed(args: string[], { cwd, env, asPlainUser = false }: Run = {}) {
  const { status, stdout, stderr } = spawnSync(deedCommand(), args, {
    ...(cwd && { cwd }),
    env: { ...closed(), ...env },
    encoding: "utf8",
    timeout: 60_000,
    ...(asPlainUser && isRoot && { uid: NOBODY, gid: NOBODY }),
  });
  return { status, stdout, stderr };
}
