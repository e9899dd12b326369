// Waits until the run of tests that started it closes its input, by its end or its death. Then ends the processes that
// the run left, and removes its folder (see run.ts).
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const [, , folder] = process.argv;
const TRIES = 80;
const POLITE = 50;

/** Sends a signal to what still runs, and returns whether anything did. */
function signal(name) {
  const sent = readdirSync(`${folder}/.processes`).filter((pid) => {
    try {
      return process.kill(Number(pid), name);
    } catch {
      return false;
    }
  });
  return sent.length > 0;
}

// The signals of the terminal are for the run.
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, () => {});
for await (const _ of process.stdin);
for (let tries = 0; tries < TRIES && signal(tries < POLITE ? "SIGTERM" : "SIGKILL"); tries += 1)
  await sleep(100);
const mounts = existsSync("/proc/self/mounts") ? readFileSync("/proc/self/mounts", "utf8") : "";
for (const [, place] of mounts.matchAll(/^\S+ (\S+) /gm))
  if (place.startsWith(folder)) spawnSync("umount", ["-l", place]);
// A folder closed to its owner cannot be emptied, except by root.
spawnSync("chmod", ["-R", "u+rwX", folder]);
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
