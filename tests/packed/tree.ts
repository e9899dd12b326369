import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import fs, { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { inName } from "../../scripts/release/version.mjs";
import { block } from "../pages/blocks.ts";
import { launch } from "../support/service.ts";

const { version } = JSON.parse(readFileSync("build/commands/facts.json", "utf8"));
export const VERSION: string = inName(version);
/** Made by `npm run release`, for this machine. */
export const TARBALL = resolve(`dist/${process.env.npm_package_name}-${VERSION}.tgz`);
const ARCHIVE = resolve(`dist/deed-${VERSION}-linux-${process.arch}.tar.gz`);
const BASE = resolve(".cache/debian-systemd");
/** The programs that pages call, as a layer. */
export const PROGRAMS = resolve(".cache/debian-programs/files");
const WORK = resolve(".cache/packed");
export const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Runs a program of this machine and returns what it printed. Throws if it fails. */
export function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${error ?? stderr}`);
  return stdout;
}

/** A new bare Debian under the given layers, with /proc and the hosts file of containers. Removed with .cache/packed. */
export const newTree = (...layers: string[]): string => treeOn([...layers, BASE]);

/** The same with these layers only. */
export function treeOn(layers: string[]): string {
  mkdirSync(WORK, { recursive: true });
  const folder = fs.mkdtempSync(join(WORK, "tree-"));
  const [tree, files, work] = [join(folder, "root"), join(folder, "files"), join(folder, "work")];
  for (const made of [tree, files, work]) mkdirSync(made);
  const options = `lowerdir=${layers.join(":")},upperdir=${files},workdir=${work}`;
  run("mount", ["-t", "overlay", "overlay", "-o", options, tree]);
  run("mount", ["-t", "proc", "proc", join(tree, "proc")]);
  fs.writeFileSync(join(tree, "etc/hosts"), "127.0.0.1 localhost\n::1 localhost\n");
  return tree;
}

type Env = Record<string, string>;

/** Without this machine's environment. */
const clean = (env: Env) => ({ PATH, HOME: "/root", ...env }) as Env as NodeJS.ProcessEnv;

/** Runs a command in the tree, as root, for at most a minute. */
export const runIn = (tree: string, args: readonly string[], env: Env = {}) =>
  spawnSync("chroot", [tree, ...args], {
    encoding: "utf8",
    timeout: 60_000,
    env: clean(env),
  }) as SpawnSyncReturns<string>;

export function addNode(tree: string): void {
  copyFileSync(process.execPath, join(tree, "usr/local/bin/node"));
  const npm = join(tree, "usr/local/lib/node_modules/npm");
  fs.cpSync(resolve(process.env.npm_execpath ?? "", "../.."), npm, { recursive: true });
  for (const name of ["npm", "npx"])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(tree, "usr/local/bin", name));
}

export type Form = "tarball" | "archive";

/** A bare Debian with Deed installed by docs/operate/install.md; for the tarball, with Node and npm. */
export function installed(form: Form, ...layers: string[]): string {
  const steps = block("docs/operate/install.md", form === "tarball" ? "npm i" : "tar -xzf");
  return newTree(layerOf(form, steps), ...layers);
}

/** The layer that an installation adds to the bare Debian. Made once per run. */
function layerOf(form: Form, steps: string): string {
  const layer = join(WORK, form);
  if (existsSync(layer)) return layer;
  const tree = newTree();
  for (const file of [form === "tarball" ? TARBALL : ARCHIVE, resolve("dist/SHA256SUMS")])
    copyFileSync(file, join(tree, "root", basename(file)));
  if (form === "tarball") addNode(tree);
  const here = steps.replaceAll("linux-x64", `linux-${process.arch}`);
  const { status, stderr } = runIn(tree, ["sh", "-ec", `cd /root\n${here}`]);
  if (status !== 0) throw new Error(`${here}${stderr}`);
  for (const mounted of [join(tree, "proc"), tree]) run("umount", [mounted]);
  fs.renameSync(join(tree, "../files"), layer);
  return layer;
}

export type Program = ReturnType<typeof startProgram>;

/** Starts a program, which ends with its test. */
export function startProgram(command: string, args: readonly string[], env: Env = {}) {
  const program = launch(command, args, { env: clean(env) });
  onTestFinished(() => void program.child.kill("SIGKILL"));
  const end = (signal: NodeJS.Signals = "SIGTERM") => {
    program.child.kill(signal);
    return program.ended;
  };
  return { ...program, end };
}

export const startIn = (tree: string, args: readonly string[], env: Env = {}): Program =>
  startProgram("chroot", [tree, ...args], env);

/** Waits until `look` finds something. Throws with the program's output if it ends first, or after a minute. */
export async function until<T>(
  program: Program,
  look: () => T | Promise<T>,
): Promise<NonNullable<T>> {
  const giveUpAt = Date.now() + 60_000;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (program.child.exitCode !== null || Date.now() > giveUpAt)
      throw new Error(`ended or took too long:\n${program.printed()}`);
    await new Promise((wait) => setTimeout(wait, 100));
  }
}

export const answering = (program: Program, url: string) =>
  until(program, () =>
    fetch(`${url}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
