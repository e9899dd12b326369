import { Buffer } from "node:buffer";
import { webcrypto } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { checkLog } from "#app/receipt/log-proof.ts";
import { publishCheckpoint } from "#app/services/log/checkpoints.server.ts";
import { appendEntry, proofOfEntry } from "#app/services/log/log.server.ts";
import { currentLog } from "#app/services/log/log-rows.server.ts";
import { verifierKey } from "#app/services/log/note.ts";
import { testService } from "#app/services/testing/service.ts";
import { write } from "#db/client.ts";
import { entryOf } from "./writer.ts";
import { ask, buildYardstick } from "./yardstick.ts";

let program: string | null;
beforeAll(() => {
  program = buildYardstick();
}, 120_000);

const NAME = "deed.test/log/01234567";
const SEED = "5".repeat(64);

it("makes proofs that transparency-dev's verifier accepts", async ({ skip }) => {
  if (!program) return skip();
  const { ctx } = testService();
  const asked: { vkey: string; proof: string; entry: string }[] = [];
  for (let size = 1; size <= 70; size++) {
    await write(ctx.db, (tx) => appendEntry(tx, ctx, entryOf(size - 1)));
    await publishCheckpoint(ctx);
    const { id = "", origin = "" } = currentLog(ctx.db) ?? {};
    const vkey = verifierKey(origin, ctx.signer);
    for (const index of new Set([0, size >> 1, size - 1])) {
      const proof = proofOfEntry(ctx.db, { log: id, index }) ?? "";
      asked.push({ vkey, proof, entry: entryOf(index).toString("hex") });
    }
  }
  expect(await ask(program, "verify", asked)).toBe(asked.length);
  const [one] = asked;
  const wrong = { ...one, entry: entryOf(99).toString("hex") };
  await expect(ask(program, "verify", [wrong])).rejects.toThrow(/inclusion|root/i);
});

it("reads trees, checkpoints and proofs made by the Go checksum database's library", async ({
  skip,
}) => {
  if (!program) return skip();
  const { ctx } = testService();
  const raw = Buffer.from(ctx.signer.jwk.x, "base64url");
  const key = await webcrypto.subtle.importKey("raw", raw, "Ed25519", true, ["verify"]);
  let read = 0;
  for (const size of [1, 2, 3, 7, 8, 9, 64, 100]) {
    const entries = Array.from({ length: size }, (_, n) => entryOf(n));
    type Made = { vkey: string; checkpoint: string; proofs: string[] };
    const made = await ask<Made>(program, "make", {
      name: NAME,
      seed: SEED,
      entries: entries.map((entry) => entry.toString("hex")),
    });
    expect(made.vkey).toBe(verifierKey(NAME, ctx.signer));
    for (const [index, proof] of made.proofs.entries()) {
      const entry = entries[index] ?? Buffer.alloc(0);
      const report = await checkLog(proof, Uint8Array.from(entry), Uint8Array.from(raw), key);
      expect(report).toMatchObject({ state: "shown", facts: { origin: NAME, index, size } });
      read += 1;
    }
  }
  expect(read).toBe(194);
});
