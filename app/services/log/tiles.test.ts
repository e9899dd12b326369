import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { write } from "#db/client.ts";
import { testService } from "../testing/service.ts";
import { publishCheckpoint } from "./checkpoints.server.ts";
import { appendEntry } from "./log.server.ts";
import { leafHash, nodeHash } from "./merkle.ts";
import { parseLogPath, readLogResource } from "./tiles.server.ts";

const entry = (n: number) => createHash("sha256").update(`entry ${n}`).digest();

it.each([
  ["/log/checkpoint", { log: null, tile: null }],
  ["/log/0123abcd/checkpoint", { log: "0123abcd", tile: null }],
  ["/log/tile/0/000", { log: null, tile: { level: 0, index: 0, width: 256 } }],
  ["/log/tile/63/999.p/255", { log: null, tile: { level: 63, index: 999, width: 255 } }],
  ["/log/tile/1/x001/x234/067", { log: null, tile: { level: 1, index: 1_234_067, width: 256 } }],
  [
    "/log/0123abcd/tile/entries/x100/000.p/1",
    { log: "0123abcd", tile: { level: "entries", index: 100_000, width: 1 } },
  ],
])("reads %s", (path, resource) => {
  expect(parseLogPath(path)).toEqual(resource);
});

it.each([
  "/log/",
  "/log/checkpoint/",
  "/log/0123abc/checkpoint",
  "/log/0123ABCD/checkpoint",
  "/log/tile/00/000",
  "/log/tile/64/000",
  "/log/tile/-1/000",
  "/log/tile/0/0",
  "/log/tile/0/0000",
  "/log/tile/0/x000/001",
  "/log/tile/0/001/002",
  "/log/tile/0/x001",
  "/log/tile/0/x001/x001/x001/x001/x001/001",
  "/log/tile/0/000.p/0",
  "/log/tile/0/000.p/01",
  "/log/tile/0/000.p/256",
  "/log/tile/0/000.p/999",
  "/log/tile/0/%30%30%30",
  "/log/tile/data/000",
])("knows no %s", (path) => {
  expect(parseLogPath(path)).toBeNull();
});

it("serves tiles and bundles of what a checkpoint covers, and nothing beyond", async () => {
  const { ctx } = testService();
  const append = (from: number, to: number) =>
    write(ctx.db, (tx) => {
      for (let n = from; n < to; n++) appendEntry(tx, ctx, entry(n));
    });
  const read = (path: string) => {
    const resource = parseLogPath(path);
    return resource && readLogResource(ctx.db, resource);
  };
  const octets = (path: string) => Buffer.from(read(path) ?? "none");

  expect(read("/log/checkpoint")).toBeNull();
  await append(0, 257);
  expect(read("/log/tile/0/000")).toBeNull();
  await publishCheckpoint(ctx);
  await append(257, 600);

  expect(String(read("/log/checkpoint")).split("\n")[1]).toBe("257");
  const leaves = Array.from({ length: 257 }, (_, n) => leafHash(entry(n)));
  expect(octets("/log/tile/0/000").equals(Buffer.concat(leaves.slice(0, 256)))).toBe(true);
  expect(octets("/log/tile/0/000.p/7").equals(Buffer.concat(leaves.slice(0, 7)))).toBe(true);
  expect(octets("/log/tile/0/001.p/1").equals(leaves[256] ?? Buffer.alloc(0))).toBe(true);
  let row = leaves.slice(0, 256);
  while (row.length > 1)
    row = row.flatMap((left, i) => (i % 2 ? [] : [nodeHash(left, row[i + 1] ?? left)]));
  expect(octets("/log/tile/1/000.p/1").equals(row[0] ?? Buffer.alloc(0))).toBe(true);
  const bundle = octets("/log/tile/entries/001.p/1");
  expect(bundle.equals(Buffer.concat([Buffer.of(0, 32), entry(256)]))).toBe(true);
  expect(octets("/log/tile/entries/000").length).toBe(256 * 34);

  const origin = String(read("/log/checkpoint")).split("\n")[0] ?? "";
  const own = origin.slice(origin.indexOf("/"));
  expect(read(`${own}/checkpoint`)).toBe(read("/log/checkpoint"));
  for (const path of [
    "/log/tile/0/001",
    "/log/tile/0/001.p/2",
    "/log/tile/0/002.p/1",
    "/log/tile/1/000",
    "/log/tile/1/000.p/2",
    "/log/tile/2/000.p/1",
    "/log/tile/63/x999/x999/x999/x999/999",
    "/log/tile/entries/001.p/2",
    "/log/00000000/checkpoint",
  ])
    expect(read(path)).toBeNull();
});
