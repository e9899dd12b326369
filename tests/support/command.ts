import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { deedCommand } from "./product.ts";
import { closed } from "./service.ts";

const NOBODY = 65534;
export const isRoot = process.getuid?.() === 0;

/** For `deed doctor`: nothing outside this machine is asked, and no root server answers. */
export function nobodyToAsk(folder: string): Record<string, string> {
  const hints = join(folder, "named.root");
  writeFileSync(hints, ". 3600000 NS a.example.\na.example. 3600000 A 127.0.0.199\n");
  return { DNS_ROOT_HINTS: hints, DNS_RESOLVERS: "" };
}

type Run = {
  cwd?: string;
  env?: Record<string, string>;
  /** Not as root, whom no mode keeps out. */
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
