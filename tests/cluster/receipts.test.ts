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

/** Receipts on both sides of a promotion, of a rotation in a cluster, and of a node with another key. */

const SITUATIONS = ["a promotion", "a rotation", "a node with another key"] as const;
type Situation = (typeof SITUATIONS)[number];

/** By when they were made; `lost` is one that the promoted node never got, and `passed` is of a claim of before. */
type Name = "before" | "lost" | "passed" | "after" | "rotated" | "unbound" | "foreign";

/** The right verdicts with the key set of the primary and its thumbprint: without a stamp, and with one. */
const TABLE: [Situation, Name, bare: Said, stamped: Said][] = [
  ["a promotion", "before", "word", "word"],
  ["a promotion", "lost", "word", "word"],
  ["a promotion", "passed", "signed", "signed"],
  ["a promotion", "after", "word", "word"],

  ["a rotation", "before", "ended", "word"],
  ["a rotation", "lost", "ended", "word"],
  ["a rotation", "passed", "ended", "signed"],
  ["a rotation", "after", "ended", "word"],
  ["a rotation", "rotated", "signed", "signed"],

  ["a node with another key", "before", "ended", "word"],
  ["a node with another key", "rotated", "ended", "signed"],
  ["a node with another key", "unbound", "word", "word"],
  ["a node with another key", "foreign", "word", "word"],
];

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

it("every receipt is what it should be, whichever node is the primary, and with whichever key", async () => {
  const world = receiptsIn(cluster.playground, stamper);
  const [first, second] = [cluster.machine(0), cluster.machine(1)];
  let primary = first;
  const visitor = await visit(cluster, "keys@holder.example", () => primary);
  const issued = new Map<Name, Issued>();
  const expectTable = async (situation: Situation, set: KeySet) => {
    const rows = TABLE.filter(([of]) => of === situation);
    await world.expectVerdicts(
      rows.flatMap(([, name, bare, stamped]) => {
        const receipt = issued.get(name)?.receipt;
        if (!receipt) throw new Error(`there is no receipt ${name}`);
        const reader = { key: set.kid, set };
        return [
          { label: `${name}, bare`, receipt: withoutStamp(receipt), ...reader, says: bare },
          { label: `${name}, stamped`, receipt, ...reader, says: stamped },
        ];
      }),
    );
  };
  const reach = async (machine: Machine) => machine.reached((await primary.serving()).position);
  const setOf = (machine: Machine, kid: string) => keySetAt(machine.url, (set) => set.kid === kid);

  // The first is lost, with what the second has not got.
  issued.set("before", await world.prove(visitor));
  const passed = await world.open(visitor, "signed");
  await reach(second);
  const original = signerOf(cluster.signingKey).kid;
  expect((await setOf(second, original)).history).toBe((await setOf(first, original)).history);
  await second.stop();
  issued.set("lost", await world.prove(visitor));
  await first.kill();
  primary = second;
  await cluster.promote(second, [second]);
  const promoted = await setOf(second, original);
  issued.set("passed", await world.finish(visitor, passed));
  issued.set("after", await world.prove(visitor));
  await expectTable("a promotion", promoted);
  expect(await receiptAt(second.url, issued.get("lost")?.slug ?? "")).toBeNull();
  const kept = issued.get("before");
  expect(await receiptAt(second.url, kept?.slug ?? "")).toEqual(kept?.receipt);

  // A rotation by docs/operate/signing-key.md, the replica first.
  const rotated = await world.open(visitor, "signed");
  const next = randomBytes(32).toString("hex");
  for (const machine of [first, second])
    machine.configure({ SIGNING_KEY: `${next},${cluster.signingKey}` });
  first.start(second.address);
  await first.until(({ role, status }) => role === "replica" && status === "ok");
  await reach(first);
  await expectTable("a promotion", await setOf(first, original));
  await world.afterStamps();
  await second.stop();
  second.start(second.address);
  await second.leads();
  const { kid } = signerOf(next);
  const afterRotation = await setOf(second, kid);
  issued.set("rotated", await world.finish(visitor, rotated));
  await expectTable("a rotation", afterRotation);
  await first.until(({ role, status }) => role === "replica" && status === "ok");
  await reach(first);
  expect((await setOf(first, kid)).history).toBe(afterRotation.history);

  // A node with another key.
  const unbound = await world.open(visitor, "signed");
  const foreign = randomBytes(32).toString("hex");
  first.configure({ SIGNING_KEY: foreign });
  await first.stop();
  first.start(second.address);
  await first.until(({ role, status }) => role === "replica" && status === "ok");
  await reach(first);
  expect(await (await fetch(`${first.url}/.well-known/jwks.json`)).json()).toEqual({
    keys: JSON.parse(afterRotation.text).keys,
  });
  await world.afterStamps();
  expect(await second.stop()).toBe(0);
  primary = first;
  await cluster.promote(first, [first]);
  const foreignSet = await setOf(first, signerOf(foreign).kid);
  issued.set("unbound", await world.finish(visitor, unbound));
  issued.set("foreign", await world.prove(visitor));
  await expectTable("a node with another key", foreignSet);
});
