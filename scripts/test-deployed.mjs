// `npm run test:deployed`: installs next to the build without development packages, as a server would, and tests it.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuilt } from "./setup.mjs";

const DEPLOYED = ["build", "public", "db/migrations", "bin/deed.mjs"];
const MANIFESTS = ["package.json", "package-lock.json"];

ensureBuilt();
const folder = mkdtempSync(join(tmpdir(), "deed-deployed-"));
const env = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  PORT: String(20_000 + (process.pid % 20_000)),
  DATA_DIR: join(folder, "data"),
  DNS_RESOLVERS: "",
};
let service;

function fail(what) {
  console.error(what);
  process.exitCode = 1;
}

function npm(...args) {
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd: folder, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`npm ${args.join(" ")}: ${stderr}`);
  return stdout.trim();
}

async function answering() {
  for (let each = 0; each < 200; each++) {
    const answer = await fetch(`http://localhost:${env.PORT}/api/health`).catch(() => null);
    if (answer?.ok) return answer.json();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the service did not answer in 20 s");
}

try {
  for (const path of [...DEPLOYED, ...MANIFESTS])
    cpSync(path, join(folder, path), { recursive: true });
  // Without optional packages too: npm would keep TypeScript as an optional peer.
  npm("ci", "--omit=dev", "--omit=optional", "--no-audit", "--no-fund");
  const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  const lock = JSON.parse(readFileSync("package-lock.json", "utf8")).packages;
  const development = Object.keys(lock).filter((path) => lock[path].dev);
  const found = [
    ...development,
    ...Object.keys(devDependencies).map((name) => `node_modules/${name}`),
  ];
  const present = found.filter((path) => path !== "" && existsSync(join(folder, path)));
  if (present.length > 0) fail(`development packages are there: ${present.join(", ")}`);

  service = spawn("npm", ["start"], { cwd: folder, env, stdio: "ignore", detached: true });
  const health = await answering();
  const backup = npm("run", "--silent", "backup");
  if (!existsSync(backup)) fail("npm run backup wrote no file");
  const packages = readdirSync(join(folder, "node_modules")).length;
  console.log(
    `${packages} folders of packages, ${development.length} development packages absent; health ${health.status}; backup made`,
  );
} catch (error) {
  fail(error.message);
} finally {
  if (service) process.kill(-service.pid, "SIGTERM");
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
