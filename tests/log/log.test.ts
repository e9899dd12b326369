import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { backUp, restoreInto } from "#db/backup.ts";
import { says } from "../contract/sentences.ts";
import { printFigure } from "../support/figures.ts";
import { freePort, type Service, startService } from "../support/service.ts";
import { entryOf, LogWriter } from "./writer.ts";
import { ask, buildYardstick } from "./yardstick.ts";

type Checkpoint = { origin: string; size: number; text: string };
type Monitored = { size: number; entries: string[]; proved: number; consistent: number };

const [ENTRIES, KILLS] = process.env.TEST_SIZE === "full" ? [70_000, 50] : [600, 1];

let folder: string;
let port: number;
let url: string;
let writer: LogWriter;
let service: Service;
let program: string | null;
/** Every checkpoint ever served, by its text. */
const seen = new Map<string, Checkpoint>();

const start = () =>
  startService({
    dataDir: folder,
    port,
    env: { RATE_LIMIT_PROOFS: "1000000/1", RATE_LIMIT_PAGES: "1000000/1", BASE_URL: url },
  });

async function checkpoint(path = "/log/checkpoint"): Promise<Checkpoint | null> {
  const answer = await fetch(url + path).catch(() => null);
  if (answer?.status !== 200) return null;
  const text = await answer.text().catch(() => "");
  const [origin = "", size] = text.split("\n");
  const one = { origin, size: Number(size), text };
  if (text) seen.set(text, one);
  return text ? one : null;
}

/** The first checkpoint that is as wanted. */
async function until(is: (one: Checkpoint) => boolean): Promise<Checkpoint> {
  const giveUpAt = Date.now() + 30_000;
  for (;;) {
    const one = await checkpoint();
    if (one && is(one)) return one;
    if (Date.now() > giveUpAt) throw new Error(`the newest checkpoint is ${one?.text}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const pathOf = (origin: string) => origin.slice(origin.indexOf("/"));
/** Reads the log at `prefix` by the other implementation, which also checks every checkpoint seen of it. */
const monitor = (prefix: string, origin: string): Promise<Monitored> | null =>
  program
    ? ask(program, "monitor", {
        prefix: url + prefix,
        vkey: writer.vkey(origin),
        earlier: [...seen.values()].filter((one) => one.origin === origin).map(({ text }) => text),
        proofs: 10,
      })
    : null;

async function isConsistent(origin: string): Promise<void> {
  const read = await monitor(pathOf(origin), origin);
  const known = [...seen.values()].filter((one) => one.origin === origin).length;
  if (read) expect(read.consistent).toBe(known);
}

beforeAll(async () => {
  program = buildYardstick();
  folder = mkdtempSync(join(tmpdir(), "deed-log-"));
  port = await freePort();
  url = `http://localhost:${port}`;
  writer = new LogWriter({ dataDir: folder, baseUrl: url });
  await writer.append(0, ENTRIES);
  service = await start();
}, 240_000);
afterAll(async () => {
  await service.stop({ keep: true });
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

it(says("C24.1"), async () => {
  const { origin, size } = await until(({ size }) => size === ENTRIES);
  expect(origin).toMatch(/^localhost:\d+\/log\/[0-9a-f]{8}$/);
  expect(size).toBe(ENTRIES);
  for (const prefix of ["/log", pathOf(origin)]) {
    const read = await monitor(prefix, origin);
    if (read) expect(read).toMatchObject({ size: ENTRIES, proved: 10 });
    for (const [n, entry] of read?.entries.entries() ?? [])
      expect(entry).toBe(entryOf(n).toString("hex"));
  }
});

it(says("C24.2", "C24.3"), async () => {
  const { origin } = await until(({ size }) => size === ENTRIES);
  const own = pathOf(origin);
  const of = async (path: string, method = "GET") => fetch(url + path, { method });
  for (const [path, type, caching] of [
    ["/log/checkpoint", "text/plain; charset=utf-8", "no-cache"],
    [`${own}/checkpoint`, "text/plain; charset=utf-8", "no-cache"],
    ["/log/tile/0/000", "application/octet-stream", "no-cache"],
    [`${own}/tile/0/000`, "application/octet-stream", "public, max-age=31536000, immutable"],
    [
      `${own}/tile/entries/001.p/7`,
      "application/octet-stream",
      "public, max-age=31536000, immutable",
    ],
  ] as const) {
    const { status, headers } = await of(path);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe(type);
    expect(headers.get("cache-control")).toBe(caching);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect((await of(path, "HEAD")).status).toBe(200);
    expect((await of(path, "POST")).status).toBe(405);
  }
  for (const path of [
    "/log",
    "/log/",
    "/log/00000000/checkpoint",
    "/log/tile/0/x999/999",
    "/log/tile/9/000",
    "/log/tile/0/%2e%2e/000",
    `${own}/tile/entries/999`,
  ]) {
    const { status, headers } = await of(path);
    expect(status, path).toBe(404);
    expect(headers.get("cache-control")).toBe("no-cache");
  }
});

// Through kills and restores.
it(says("C24.4"), async () => {
  const first = await until(({ size }) => size === ENTRIES);
  const backup = join(folder, "backup");
  await backUp(join(folder, "deed.db"), backup);
  copyFileSync(join(folder, "signed-tree"), join(folder, "signed-tree.backup"));

  let next = ENTRIES;
  for (let round = 0; round < KILLS; round++) {
    const killAt = Date.now() + 500 + Math.random() * 1_500;
    while (Date.now() < killAt) {
      await writer.append(next, ++next);
      await checkpoint();
    }
    await service.kill();
    service = await start();
  }
  // Only a log that signed more than the backup has is another one after it.
  let last = await until(({ size }) => size > ENTRIES);
  const restore = async (round: number) => {
    await isConsistent(last.origin);
    await service.stop({ keep: true });
    writer.close();
    restoreInto(join(folder, "deed.db"), backup, join(folder, `before-${round}`));
    if (round > 0) copyFileSync(join(folder, "signed-tree.backup"), join(folder, "signed-tree"));
    writer = new LogWriter({ dataDir: folder, baseUrl: url });
    service = await start();
    last = await until(({ origin }) => origin !== last.origin && origin !== first.origin);
    await writer.append(next, next + 3);
    last = await until(({ origin, size }) => origin === last.origin && size === 3);
  };
  // The database alone, and then the whole folder, written over what is there.
  await restore(0);
  await restore(1);
  await isConsistent(last.origin);

  const roots = new Map<string, string>();
  for (const { origin, size, text } of seen.values()) {
    const root = text.split("\n")[2] ?? "";
    expect(roots.get(`${origin} ${size}`) ?? root).toBe(root);
    roots.set(`${origin} ${size}`, root);
  }
  const origins = new Set([...seen.values()].map(({ origin }) => origin));
  printFigure(
    "The log through kills and restores",
    `${KILLS} kills, 2 restores: ${seen.size} checkpoints of ${origins.size} origins, no two of one size with different roots`,
    "log-figures.json",
  );
});
