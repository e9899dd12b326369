import { spawnSync } from "node:child_process";
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { chromium, type LaunchOptions } from "@playwright/test";
import { findSoftware } from "../lab/software.ts";

const PACKAGE = "@sparticuz/chromium";
const VERSION = "153.0.0";
const FOLDER = resolve(".cache/chromium");
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"] as const;

const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const starts = ({ executablePath = "", env }: LaunchOptions) =>
  spawnSync(executablePath, ["--version"], { env: { ...process.env, ...env }, timeout: 30_000 })
    .status === 0;

/** How to launch Chromium: Playwright's, or else the machine's, or else the fetched one; null if there is none. */
export function findChromium(): LaunchOptions | null {
  if (existsSync(chromium.executablePath())) return { args };
  const { software, missing } = findSoftware(NAMES);
  const own = NAMES.filter((name) => !missing.includes(name)).map((name) => software[name]);
  const fetched = {
    ...process.env,
    LD_LIBRARY_PATH: join(FOLDER, "al2023/lib"),
    FONTCONFIG_PATH: join(FOLDER, "fonts"),
  };
  const all: LaunchOptions[] = [
    ...own.map((executablePath) => ({ executablePath, args })),
    { executablePath: join(FOLDER, "chromium"), args, env: fetched },
  ];
  return all.find(starts) ?? null;
}

/** Like findChromium, but fetches Chromium if missing: from the npm registry on Linux, otherwise Playwright's. */
export function bringChromium(): LaunchOptions | null {
  const found = findChromium();
  if (found) return found;
  console.log("Fetching Chromium …");
  if (process.platform !== "linux")
    spawnSync("npx", ["playwright", "install", "chromium"], { stdio: "inherit", shell: true });
  // The package is for that architecture only.
  else if (process.arch === "x64") fetchPackage();
  return findChromium();
}

function fetchPackage(): void {
  const part = `${FOLDER}.part`;
  for (const folder of [part, FOLDER]) rmSync(folder, { recursive: true, force: true });
  const into = ["--no-save", "--no-package-lock", "--prefix", part];
  const bound = { stdio: "inherit", timeout: 300_000 } as const;
  spawnSync("npm", ["install", "--silent", ...into, `${PACKAGE}@${VERSION}`], bound);
  const packed = `${part}/node_modules/${PACKAGE}`;
  if (!existsSync(packed)) return;
  // It unpacks into the temporary directory.
  const unpack = `import { inflate } from "${packed}/build/index.js";
    for (const name of ["chromium", "fonts.tar", "al2023.tar"]) await inflate(\`${packed}/bin/\${name}.br\`);`;
  const env = { ...process.env, TMPDIR: part };
  spawnSync(process.execPath, ["--input-type=module", "-e", unpack], { ...bound, env });
  // Its own configuration names AWS folders; without a font Chromium crashes.
  const fonts = `<dir prefix="relative">fonts</dir><cachedir>${FOLDER}/fonts/cache</cachedir>`;
  writeFileSync(`${part}/fonts/fonts.conf`, `<fontconfig>${fonts}</fontconfig>\n`);
  rmSync(`${part}/node_modules`, { recursive: true });
  renameSync(part, FOLDER);
}
