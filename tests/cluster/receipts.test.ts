import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { signerOf } from "#app/features/receipts/signer.server.ts";
import {
  type Issued,
  type KeySet,
  keySetAt,
  receiptAt,
  receiptsIn,
  type Said,
  startStamper,
  withoutStamp,
} from "../support/receipts.ts";
import { Cluster } from "./cluster.ts";
import type { Machine } from "./machine.ts";
import { visit } from "./visitor.ts";

let stamper: Awaited<ReturnType<typeof startStamper>>;
let cluster: Cluster;
beforeAll(async () => {
  stamper = await startStamper();
  cluster = await Cluster.create({ machines: 2, env: stamper.env });
  await cluster.start();
});
afterAll(async () => {
  await cluster?.stop();
  stamper?.stop();
});

// tests/service/keys-and-time.test.ts tries rotations.
it("every receipt is what it should be, whichever node is the primary, and with whichever key", async () => {
  const world = receiptsIn(cluster.playground, stamper);
  const [first, second] = [cluster.machine(0), cluster.machine(1)];
  let primary = first;
  const visitor = await visit(cluster, "keys@holder.example", () => primary);
  const setOf = (machine: Machine, kid: string) => keySetAt(machine.url, (set) => set.kid === kid);
  /** With a key set and its thumbprint: each receipt without a stamp, and with one. */
  const expectSaid = (set: KeySet, ...rows: [string, Issued, bare: Said, stamped: Said][]) =>
    world.expectVerdicts(
      rows.flatMap(([label, { receipt }, bare, stamped]) => [
        { label, receipt: withoutStamp(receipt), key: set.kid, set, says: bare },
        { label: `${label}, stamped`, receipt, key: set.kid, set, says: stamped },
      ]),
    );

  // The first is lost, with what the second has not got.
  const before = await world.prove(visitor);
  const open = await world.open(visitor, "signed");
  await cluster.settle(first);
  const { kid } = signerOf(cluster.signingKey);
  expect((await setOf(second, kid)).history).toBe((await setOf(first, kid)).history);
  await second.stop();
  const lost = await world.prove(visitor);
  await first.kill();
  primary = second;
  await cluster.promote(second, [second]);
  const promoted = await setOf(second, kid);
  const passed = await world.finish(visitor, open);
  await expectSaid(
    promoted,
    ["before", before, "word", "word"],
    ["lost", lost, "word", "word"],
    ["of a claim of before", passed, "signed", "signed"],
  );
  expect(await receiptAt(second.url, lost.slug)).toBeNull();
  expect(await receiptAt(second.url, before.slug)).toEqual(before.receipt);

  // The first comes back with another key.
  const foreign = randomBytes(32).toString("hex");
  first.configure({ SIGNING_KEY: foreign });
  first.start(second.address);
  await first.follows();
  await cluster.settle(second);
  expect(await (await fetch(`${first.url}/.well-known/jwks.json`)).json()).toEqual({
    keys: JSON.parse(promoted.text).keys,
  });
  await world.afterStamps();
  expect(await second.stop()).toBe(0);
  primary = first;
  await cluster.promote(first, [first]);
  await expectSaid(
    await setOf(first, signerOf(foreign).kid),
    ["before", before, "ended", "word"],
    ["of a claim of before", passed, "ended", "signed"],
    ["by the other key", await world.prove(visitor), "word", "word"],
  );
});
