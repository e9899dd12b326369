import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Floor, startFloor } from "./server.ts";

const APP = join(import.meta.dirname, "remix-app");
const ROUTES = "app/routes";
const BUILD = ".cache/bench/remix-app/build/index.js";

function ensureBuilt(): void {
  const newest = Math.max(
    statSync(ROUTES).mtimeMs,
    ...readdirSync(APP, { recursive: true, encoding: "utf8" }).map(
      (file) => statSync(join(APP, file)).mtimeMs,
    ),
  );
  if (existsSync(BUILD) && statSync(BUILD).mtimeMs > newest) return;
  const { status, stderr } = spawnSync("npx", ["remix", "build", APP], {
    env: { ...process.env, NODE_ENV: "production" },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the floor does not build:\n${stderr}`);
}

/** Node's arguments to start the Remix app, which has the paths of Deed's routes. Builds it if necessary. */
export function remixFloor(): string[] {
  ensureBuilt();
  return ["node_modules/@remix-run/serve/dist/cli.js", BUILD];
}

/** Starts the Remix app on remix-serve, on the database of the service it is compared with. */
export function startRemixFloor(database: string, slug: string, baseUrl: string): Promise<Floor> {
  return startFloor(remixFloor(), `/api/proofs/${slug}`, {
    FLOOR_DATABASE: database,
    FLOOR_BASE_URL: baseUrl,
  });
}
