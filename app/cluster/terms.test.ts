import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Terms } from "./terms.server.ts";

const NODE = "127.0.0.1";
const told: string[] = [];
const log = {
  debug() {},
  info: (_: object, text: string) => told.push(text),
  warn() {},
  error: (_: object, text: string) => told.push(text),
};

let server: Server;
let folder: string;
/** What the other node answers; nothing if null. */
let health: unknown;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "deed-terms-"));
  told.length = 0;
  server = createServer((_, response) => {
    if (health === null) response.destroy();
    else response.end(JSON.stringify(health));
  });
  await new Promise<void>((resolve) => server.listen(0, NODE, resolve));
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

const terms = (ownTerm: number, others = [NODE]) =>
  new Terms({
    others,
    port: (server.address() as AddressInfo).port,
    ownTerm: () => ownTerm,
    file: join(folder, "terms.json"),
    log,
  });

it("names the node that was promoted after this one", async () => {
  const mine = terms(5);
  expect(mine.successor()).toBeNull();
  health = { role: "replica", term: 6 };
  await mine.ask();
  expect(mine.successor()).toEqual({ node: NODE, term: 6 });
});

it.each([
  { role: "primary", term: 5 },
  { role: "primary", term: 4 },
  { role: "single", term: null },
  { role: "primary", version: "0.1.0" },
  { term: "9" },
  [],
])("names nobody by the answer %j", async (answer) => {
  const mine = terms(5);
  health = answer;
  await mine.ask();
  expect(mine.successor()).toBeNull();
});

it("remembers what a node said while that node is away, over a restart too", async () => {
  const mine = terms(5);
  health = { role: "primary", term: 6 };
  await mine.ask();
  health = null;
  await mine.ask();
  expect(mine.successor()).toEqual({ node: NODE, term: 6 });
  expect(terms(5).successor()).toEqual({ node: NODE, term: 6 });
  expect(terms(6).successor()).toBeNull();
  expect(terms(5, ["127.0.0.2"]).successor()).toBeNull();
  health = { role: "replica", term: 5 };
  await mine.ask();
  expect(terms(5).successor()).toBeNull();
});

it("tells once of a former primary that still takes writes, and of its end", async () => {
  const mine = terms(5);
  health = { role: "primary", term: 4 };
  await mine.ask();
  await mine.ask();
  expect(told).toEqual([expect.stringContaining("takes writes too")]);
  health = { role: "orphan", term: 4 };
  await mine.ask();
  expect(told).toHaveLength(2);
});

it.each([
  [{ role: "replica", term: 5, position: "1f" }, true],
  [{ role: "replica", term: 5, position: "1e" }, false],
  [{ role: "replica", term: 4, position: "1f" }, false],
  [{ role: "replica", term: 6, position: "20" }, false],
  [{ role: "orphan", term: 5, position: "1f" }, false],
  [{ role: "primary", term: 5, position: "1f" }, false],
  [{ role: "replica", term: 5 }, false],
  [{ role: "replica", term: 5, position: "none" }, false],
  [null, false],
])("takes a transaction for copied by the answer %j: %s", async (answer, isCopied) => {
  health = answer;
  expect(await terms(5).isCopied(0x1fn)).toBe(isCopied);
});

it("takes every transaction for copied where there is no other node", async () => {
  expect(await terms(5, []).isCopied(9n)).toBe(true);
});
