import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { readDotEnv } from "#app/environment/dot-env.server.ts";
import { packageFile } from "#db/package-file.ts";

/** Runs a command with the user, settings and data of docs/operate/systemd/deed.service. */
export const BESIDE_UNIT =
  "systemd-run --pipe --wait -p DynamicUser=yes -p User=deed -p StateDirectory=deed -p StateDirectoryMode=0700 -p Environment=DATA_DIR=/var/lib/deed -p EnvironmentFile=/etc/deed.env deed";

/** The settings that the command needs; none is secret. */
const NEEDED = ["PORT", "BASE_URL", "DATA_DIR", "DATABASE_PATH", "ADMIN"];

const quote = (text = "") =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** Returns the command as it works here: in the container, beside the unit, or with the settings that .env lacks. */
export function firstLinkCommand({
  env = process.env as NodeJS.Dict<string>,
  dotEnv = readDotEnv(),
  cwd = process.cwd(),
  host = hostname(),
  // True in a container or a unit, where nobody typed this process's command.
  isMain = process.pid === 1 || process.ppid === 1,
  hasFile = (path: string) => existsSync(path),
} = {}): string {
  const address = env.ADMIN || dotEnv.ADMIN ? "" : " ADDRESS";
  const subcommand = `users link --first${address}`;
  // If the root is read-only, podman leaves the file out.
  const isPodman = hasFile("/run/.containerenv") || env.container === "podman";
  const engine = isPodman ? "podman" : hasFile("/.dockerenv") && "docker";
  const container = /^[0-9a-f]{12}$/.test(host) ? `exec ${host}` : "compose exec deed";
  if (isMain && env.KUBERNETES_SERVICE_HOST) return `kubectl exec ${host} -- deed ${subcommand}`;
  if (isMain && engine) return `${engine} ${container} deed ${subcommand}`;
  if (isMain && env.INVOCATION_ID) return `${BESIDE_UNIT} ${subcommand}`;
  // `deed serve` sets PORT to its default.
  const unset = NEEDED.filter((name) => ![undefined, "", "3000", dotEnv[name]].includes(env[name]));
  // An unpacked archive has bin/deed too, which runs its own Node.
  const deed = ["bin/deed", "bin/deed.mjs"].map(packageFile).find(existsSync);
  const settings = unset.map((name) => `${name}=${quote(env[name])} `).join("");
  return `cd ${quote(cwd)} && ${settings}${quote(deed)} ${subcommand}`;
}
