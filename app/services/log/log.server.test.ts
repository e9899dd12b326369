import { createHash, createPublicKey, verify } from "node:crypto";
import { expect, it } from "vitest";
import { write } from "#db/client.ts";
import { testDatabase } from "#db/testing.ts";
import { signerOf } from "../receipts/signer.server.ts";
import { type TestService, testService } from "../testing/service.ts";
import { treeMemory } from "../testing/tree-memory.ts";
import { publishCheckpoint } from "./checkpoints.server.ts";
import { appendEntry, proofOfEntry } from "./log.server.ts";
import { currentLog, logNamed, type Place } from "./log-rows.server.ts";
import { verifierKey } from "./note.ts";

const entry = (n: number) => createHash("sha256").update(`entry ${n}`).digest();
const OTHER = signerOf("6".repeat(64));

const append = ({ ctx }: TestService, n: number) =>
  write(ctx.db, (tx) => appendEntry(tx, ctx, entry(n)));
async function appendAll(service: TestService, count: number, from = 0): Promise<Place[]> {
  const places: Place[] = [];
  for (let n = from; n < from + count; n++) places.push(await append(service, n));
  return places;
}

const originOf = (proof: string | null) => /^(\S+\/log\/[0-9a-f]{8})$/m.exec(proof ?? "")?.[1];
const sizeOf = (proof: string | null) => Number(/^\S+\/log\/.*\n(\d+)$/m.exec(proof ?? "")?.[1]);

/** The same database as it is now, as a backup would have it. */
function backupOf(service: TestService): TestService {
  const db = testDatabase();
  for (const table of ["logs", "log_entries", "log_hashes", "log_moves"]) {
    const rows = service.ctx.db.$client
      .prepare(`select * from ${table}`)
      .raw()
      .all() as unknown[][];
    for (const row of rows)
      db.$client.prepare(`insert into ${table} values (${row.map(() => "?").join()})`).run(...row);
  }
  const copy = testService(db);
  copy.ctx.signedTree = service.ctx.signedTree;
  return copy;
}

it("proves an entry once a checkpoint covers it", async () => {
  const service = testService();
  const { ctx } = service;
  const places = await appendAll(service, 3);
  expect(places.map(({ index }) => index)).toEqual([0, 1, 2]);
  const [first = { log: "", index: 0 }] = places;
  expect(proofOfEntry(ctx.db, first)).toBeNull();
  expect(await publishCheckpoint(ctx)).toBe(true);
  const proof = proofOfEntry(ctx.db, first) ?? "";
  expect(sizeOf(proof)).toBe(3);
  expect(originOf(proof)).toBe(`deed.test/log/${first.log}`);
  const later = await append(service, 3);
  expect(proofOfEntry(ctx.db, later)).toBeNull();
  expect(proofOfEntry(ctx.db, first)).toBe(proof);
  expect(proofOfEntry(ctx.db, { log: "00000000", index: 0 })).toBeNull();

  const { origin = "", checkpoint } = currentLog(ctx.db) ?? {};
  expect(proof.endsWith(`\n\n${checkpoint}`)).toBe(true);
  const [text = "", signature = ""] = (checkpoint ?? "").split(/(?<=\n)\n/);
  const octets = Buffer.from(signature.trim().split(" ")[2] ?? "", "base64");
  const key = createPublicKey({ key: ctx.signer.jwk, format: "jwk" });
  expect(verify(null, Buffer.from(text), key, octets.subarray(4))).toBe(true);
  const id = octets.subarray(0, 4).toString("hex");
  expect(verifierKey(origin, ctx.signer)).toContain(`${origin}+${id}+`);
});

it("signs an empty log too, and nothing twice", async () => {
  const service = testService();
  let signed = 0;
  const { kid, jwk, sign } = service.ctx.signer;
  service.ctx.signer = {
    kid,
    jwk,
    sign(octets) {
      signed += 1;
      return sign(octets);
    },
  };
  expect(await publishCheckpoint(service.ctx)).toBe(true);
  expect(await publishCheckpoint(service.ctx)).toBe(true);
  expect(signed).toBe(1);
  await append(service, 0);
  expect(await publishCheckpoint(service.ctx)).toBe(true);
  expect(signed).toBe(2);
});

it("takes entries back with their transaction", async () => {
  const service = testService();
  await append(service, 0);
  const failing = write(service.ctx.db, (tx) => {
    appendEntry(tx, service.ctx, entry(1));
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(await append(service, 2)).toMatchObject({ index: 1 });
});

it("begins another log where the database has lost what was signed, and goes on where it has not", async () => {
  const service = testService();
  await appendAll(service, 2);
  await publishCheckpoint(service.ctx);
  const older = backupOf(service);
  const [lost] = await appendAll(service, 1, 2);
  const same = backupOf(service);
  expect(await publishCheckpoint(service.ctx)).toBe(true);
  const [log = ""] = [currentLog(service.ctx.db)?.id];

  expect((await append(same, 2)).log).toBe(log);
  const restored = await append(older, 9);
  expect(restored).toMatchObject({ index: 0 });
  expect(restored.log).not.toBe(log);
  expect(logNamed(older.ctx.db, log)?.endedAt).toBe(service.now);
  expect(await publishCheckpoint(older.ctx)).toBe(true);
  expect(sizeOf(proofOfEntry(older.ctx.db, { log, index: 1 }))).toBe(2);
  expect(proofOfEntry(older.ctx.db, lost ?? restored)).toBeNull();
});

it("ends a log that has other entries where it signed", async () => {
  const service = testService();
  await appendAll(service, 2);
  const fork = backupOf(service);
  const { log } = await append(fork, 9);
  await append(service, 2);
  await publishCheckpoint(service.ctx);
  expect(currentLog(service.ctx.db)?.id).toBe(log);
  expect((await append(fork, 10)).log).not.toBe(log);
});

it("ends a log that is not the one signed last", async () => {
  const service = testService();
  const { log } = await append(service, 0);
  const root = createHash("sha256").digest("base64");
  service.ctx.signedTree.keep({ origin: "deed.test/log/00000000", size: 0, root });
  expect((await append(service, 1)).log).not.toBe(log);
});

it("begins another log for another key, and for another installation's memory", async () => {
  const service = testService();
  const first = await append(service, 0);
  await publishCheckpoint(service.ctx);
  service.ctx.signer = OTHER;
  const second = await append(service, 1);
  expect(second).toMatchObject({ index: 0 });
  await publishCheckpoint(service.ctx);
  service.ctx.signedTree = treeMemory();
  const third = await append(service, 2);
  await publishCheckpoint(service.ctx);
  const logs = [first, second, third].map((place) => proofOfEntry(service.ctx.db, place));
  expect(new Set(logs.map(originOf)).size).toBe(3);
  const kids = [first, second, third].map(({ log }) => logNamed(service.ctx.db, log)?.kid);
  expect(kids).toEqual([signerOf("5".repeat(64)).kid, OTHER.kid, OTHER.kid]);
});

it("appends anew what an ended log left without a checkpoint, under the same key", async () => {
  const service = testService();
  const places = await appendAll(service, 2);
  await publishCheckpoint(service.ctx);
  places.push(...(await appendAll(service, 600, 2)));
  service.ctx.signedTree = treeMemory();
  let rounds = 1;
  while (!(await publishCheckpoint(service.ctx))) rounds += 1;
  expect(rounds).toBeGreaterThan(1);
  const proofs = places.map((place) => proofOfEntry(service.ctx.db, place));
  expect(new Set(proofs.map(originOf)).size).toBe(2);
  expect(proofs.slice(2).map((proof) => Number(/^index (\d+)$/m.exec(proof ?? "")?.[1]))).toEqual(
    Array.from({ length: 600 }, (_, n) => n),
  );
  // And again, from the second log to a third.
  const late = await append(service, 700);
  service.ctx.signedTree = treeMemory();
  while (!(await publishCheckpoint(service.ctx))) rounds += 1;
  expect(proofOfEntry(service.ctx.db, late)).toContain("index 0\n");

  const left = await append(service, 701);
  service.ctx.signer = OTHER;
  await publishCheckpoint(service.ctx);
  expect(proofOfEntry(service.ctx.db, left)).toBeNull();
  service.ctx.signer = signerOf("5".repeat(64));
  while (!(await publishCheckpoint(service.ctx))) rounds += 1;
  expect(proofOfEntry(service.ctx.db, left)).toContain("index 0\n");
});

it("waits in a cluster until another node has the entries", async () => {
  const service = testService();
  const place = await append(service, 0);
  let copied = 6n;
  service.ctx.db.$replication = {
    isWritable: () => true,
    waitUntilWritable: async () => {},
    position: () => 7n,
    isCopied: async (position) => position <= copied,
    confirmCommit: () => {},
    readOnlyError: () => new Error("read only"),
    outcomeUnknownError: () => new Error("unknown"),
  };
  expect(await publishCheckpoint(service.ctx)).toBe(false);
  expect(proofOfEntry(service.ctx.db, place)).toBeNull();
  copied = 7n;
  expect(await publishCheckpoint(service.ctx)).toBe(true);
  expect(sizeOf(proofOfEntry(service.ctx.db, place))).toBe(1);
});
