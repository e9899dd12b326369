import { existsSync, realpathSync } from "node:fs";
import { hostname } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { readDotEnv } from "#app/environment/dot-env.server.ts";
import { packageFile } from "#db/package-file.ts";

/** With the user, the settings and the data of docs/operate/systemd/deed.service. */
export const BESIDE_UNIT =
  "systemd-run --pipe --wait -p DynamicUser=yes -p User=deed -p StateDirectory=deed -p StateDirectoryMode=0700 -p Environment=DATA_DIR=/var/lib/deed -p EnvironmentFile=/etc/deed.env";

/** The settings that `deed users link` needs, and that are no secrets. */
const NEEDED = ["PORT", "BASE_URL", "DATA_DIR", "DATABASE_PATH", "ADMIN"];

const quoted = (text: string) =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

const deedIn = (path = "") =>
  path.split(delimiter).some((folder) => {
    const file = join(folder, "deed");
    return existsSync(file) && dirname(realpathSync(file)) === packageFile("bin");
  });

/** `isMain`: it is the process of a container or unit, and nobody typed it. */
type Place = Record<"env" | "dotEnv", NodeJS.Dict<string>> & {
  cwd: string;
  host: string;
  isMain: boolean;
  has(path: string): boolean;
};

const here = (): Place => ({
  env: process.env,
  dotEnv: readDotEnv(),
  cwd: process.cwd(),
  host: hostname(),
  isMain: process.pid === 1 || process.ppid === 1,
  has: existsSync,
});

function besideMain({ env, host, has }: Place): string | null {
  if (env.KUBERNETES_SERVICE_HOST) return `kubectl exec ${host} -- deed`;
  const engine = has("/run/.containerenv") ? "podman" : has("/.dockerenv") && "docker";
  if (engine && /^[0-9a-f]{12}$/.test(host)) return `${engine} exec ${host} deed`;
  if (engine) return `${engine} compose exec deed deed`;
  return env.INVOCATION_ID ? `${BESIDE_UNIT} deed` : null;
}

/** In the same folder, with the settings that are not in its .env. */
function inFolder({ env, dotEnv, cwd }: Place): string {
  // `deed serve` sets PORT to its default.
  const given = NEEDED.filter((name) => ![undefined, "", "3000", dotEnv[name]].includes(env[name]));
  const settings = given.map((name) => `${name}=${quoted(env[name] ?? "")} `).join("");
  const whole = [process.execPath, packageFile("bin/deed.mjs")].map(quoted).join(" ");
  return `cd ${quoted(cwd)} && ${settings}${deedIn(env.PATH) ? "deed" : whole}`;
}

/** As it works where this process runs. */
export const firstLinkCommand = (place = here()): string =>
  `${(place.isMain && besideMain(place)) || inFolder(place)} users link --first`;
