import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { startPlayground } from "@deed/playground/playground.ts";
import { afterAll, it as always, beforeAll, expect } from "vitest";
import { deed } from "../support/command.ts";
import { openClaim, roomy, signIn } from "../support/deed.ts";
import { lacks } from "../support/lacks.ts";
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
import { freePort, newFolder, type Service, startService } from "../support/service.ts";

/** Stamps are of openssl. */
const it = always.skipIf(lacks("openssl"));

/** What became of keys and databases, in the words of docs/operate/signing-key.md. */
const SITUATIONS = [
  "one key",
  "yesterday’s backup",
  "a rotation",
  "yesterday’s backup, after a rotation",
  "the newest database with the earlier key",
  "an earlier database and key",
  "an earlier database, and then the newest key",
] as const;
type Situation = (typeof SITUATIONS)[number];

/** The receipts, by when they were made. */
type Name =
  | "first" // before the backup
  | "today" // after it
  | "repeated" // for the same domain, once the backup was restored
  | "passed" // after the rotation, for a claim of before it, in a signed zone
  | "later" // after the rotation
  | "unbound" // for the claim of `passed`, with a database that has no succession
  | "again" // by the earlier key that was put back, beside the newest database
  | "back"; // by the earlier key that was put back, with its database

/**
 * The right verdicts: with the key set and thumbprint of that day, without a stamp and with one, and with the thumbprint
 * alone.
 */
const TABLE: [Situation, Name, bare: Said, stamped: Said, byThumbprint: Said][] = [
  ["one key", "first", "word", "word", "word"],
  ["one key", "today", "word", "word", "word"],

  ["yesterday’s backup", "first", "word", "word", "word"],
  ["yesterday’s backup", "today", "word", "word", "word"],
  ["yesterday’s backup", "repeated", "word", "word", "word"],

  ["a rotation", "first", "ended", "word", "bad"],
  ["a rotation", "today", "ended", "word", "bad"],
  ["a rotation", "passed", "signed", "signed", "signed"],
  ["a rotation", "later", "word", "word", "word"],

  ["yesterday’s backup, after a rotation", "first", "ended", "word", "bad"],
  ["yesterday’s backup, after a rotation", "today", "ended", "word", "bad"],
  ["yesterday’s backup, after a rotation", "passed", "signed", "signed", "signed"],
  ["yesterday’s backup, after a rotation", "later", "word", "word", "word"],
  ["yesterday’s backup, after a rotation", "unbound", "word", "word", "word"],

  ["the newest database with the earlier key", "first", "word", "word", "word"],
  ["the newest database with the earlier key", "passed", "ended", "signed", "bad"],
  ["the newest database with the earlier key", "later", "ended", "word", "bad"],
  ["the newest database with the earlier key", "again", "word", "word", "word"],

  ["an earlier database and key", "first", "word", "word", "word"],
  ["an earlier database and key", "passed", "bad", "bad", "bad"],
  ["an earlier database and key", "later", "bad", "bad", "bad"],
  ["an earlier database and key", "back", "word", "word", "word"],

  ["an earlier database, and then the newest key", "first", "ended", "word", "bad"],
  ["an earlier database, and then the newest key", "passed", "signed", "signed", "signed"],
  ["an earlier database, and then the newest key", "later", "word", "word", "word"],
  ["an earlier database, and then the newest key", "back", "ended", "word", "bad"],
];

/** To those who kept the key set and thumbprint of the day after the rotation, whatever was put back since. */
const KEPT: [Name, bare: Said, stamped: Said][] = [
  ["first", "ended", "word"],
  ["passed", "signed", "signed"],
  ["later", "word", "word"],
  ["unbound", "word", "word"],
  ["again", "bad", "bad"],
  ["back", "bad", "bad"],
];

/** To those who ask for the domain's own signature, by today's key set. */
const SIGNED: [Situation, Name, Said][] = [
  ["a rotation", "passed", "signed"],
  ["a rotation", "later", "less"],
  ["yesterday’s backup, after a rotation", "passed", "signed"],
  ["yesterday’s backup, after a rotation", "unbound", "less"],
];

/** Whose links lead nowhere, since the database does not know them. */
const GONE: Record<Situation, Name[]> = {
  "one key": [],
  "yesterday’s backup": ["today"],
  "a rotation": [],
  "yesterday’s backup, after a rotation": ["today", "passed", "later"],
  "the newest database with the earlier key": [],
  "an earlier database and key": ["passed", "later"],
  "an earlier database, and then the newest key": ["passed", "later"],
};

let world: ReturnType<typeof receiptsIn>;
let service: Service;
/** The product is started several times. */
const SETUP_MS = 240_000;
const endings: (() => unknown)[] = [];
const issued = new Map<Name, Issued>();
const sets = new Map<Situation, KeySet>();
const isShared = new Map<string, boolean>();

const one = (name: Name): Issued => {
  const found = issued.get(name);
  if (!found) throw new Error(`there is no receipt ${name}`);
  return found;
};

beforeAll(async () => {
  const playground = await startPlayground();
  const stamper = await startStamper();
  endings.push(playground.stop, stamper.stop);
  world = receiptsIn(playground, stamper);
  const [dataDir, copies] = [newFolder(), newFolder()];
  const port = await freePort();
  const start = async () => {
    const env = { ...roomy(), ...playground.env, ...stamper.env };
    service = await startService({ env, dataDir, port });
  };
  const copyAs = (name: string) => cpSync(dataDir, join(copies, name), { recursive: true });
  const putBack = (name: string) => {
    rmSync(dataDir, { recursive: true });
    cpSync(join(copies, name), dataDir, { recursive: true });
  };
  const putKeyBack = (name: string) =>
    cpSync(join(copies, name, "signing-key"), join(dataDir, "signing-key"));
  const run = (...args: string[]) =>
    expect(deed(args, { env: { DATA_DIR: dataDir } })).toMatchObject({ status: 0, stderr: "" });
  const backup = join(copies, "yesterday.db");

  let kid = "";
  /** Looks once the key set is settled: with a key other than the last, or the same. */
  const gather = async (situation: Situation, isNew: boolean) => {
    const set = await keySetAt(service.url, (found) => (found.kid !== kid) === isNew);
    kid = set.kid;
    sets.set(situation, set);
    return async () => {
      for (const [name, { receipt, slug }] of issued) {
        const served = await receiptAt(service.url, slug);
        if (served) expect(served).toEqual(receipt);
        isShared.set(`${situation}: ${name}`, served !== null);
      }
      expect(await service.stop()).toBe(0);
    };
  };

  await start();
  const client = await signIn(service, "maria@holder.example");
  let leave = await gather("one key", true);
  issued.set("first", await world.prove(client));
  const waiting = await world.open(client, "signed");
  run("backup", backup);
  const domain = await world.open(client);
  issued.set("today", await world.finish(client, domain));
  await leave();
  copyAs("before the rotation");

  run("restore", backup);
  await start();
  leave = await gather("yesterday’s backup", false);
  const repeated = { ...domain, ...(await openClaim(client, domain.zone)) };
  issued.set("repeated", await world.finish(client, repeated));
  await leave();

  putBack("before the rotation");
  run("keys", "rotate");
  await world.afterStamps();
  await start();
  leave = await gather("a rotation", true);
  issued.set("passed", await world.finish(client, waiting));
  issued.set("later", await world.prove(client));
  await leave();
  copyAs("after the rotation");

  run("restore", backup);
  await start();
  leave = await gather("yesterday’s backup, after a rotation", false);
  issued.set("unbound", await world.finish(client, waiting));
  await leave();

  putBack("after the rotation");
  putKeyBack("before the rotation");
  await world.afterStamps();
  await start();
  leave = await gather("the newest database with the earlier key", true);
  issued.set("again", await world.prove(client));
  await leave();

  putBack("before the rotation");
  await start();
  leave = await gather("an earlier database and key", false);
  issued.set("back", await world.prove(client));
  await leave();

  putKeyBack("after the rotation");
  await world.afterStamps();
  await start();
  leave = await gather("an earlier database, and then the newest key", true);
  await leave();
}, SETUP_MS);
afterAll(async () => {
  await service?.kill();
  for (const end of endings) await end();
});

it.each(SITUATIONS)("every receipt is what it should be: %s", async (situation) => {
  const set = sets.get(situation);
  const key = set?.kid ?? "";
  const rows = TABLE.filter(([of]) => of === situation);
  expect(rows.length).toBeGreaterThan(0);
  await world.expectVerdicts(
    rows.flatMap(([, name, bare, stamped, byThumbprint]) => {
      const { receipt } = one(name);
      return [
        { label: `${name}, bare`, receipt: withoutStamp(receipt), key, set, says: bare },
        { label: `${name}, stamped`, receipt, key, set, says: stamped },
        { label: `${name}, by thumbprint`, receipt, key, says: byThumbprint },
      ];
    }),
  );
  const gone = rows.map(([, name]) => name).filter((n) => !isShared.get(`${situation}: ${n}`));
  expect(gone).toEqual(GONE[situation]);
});

it("what was put back since does not change what the key set of before says", async () => {
  const set = sets.get("a rotation");
  const key = set?.kid ?? "";
  await world.expectVerdicts(
    KEPT.flatMap(([name, bare, stamped]) => [
      { label: `${name}, bare`, receipt: withoutStamp(one(name).receipt), key, set, says: bare },
      { label: `${name}, stamped`, receipt: one(name).receipt, key, set, says: stamped },
    ]),
  );
});

it("a receipt shows the domain’s own signature where the token leads to the key that signs", async () => {
  await world.expectVerdicts(
    SIGNED.map(([situation, name, verdict]) => ({
      label: `${situation}: ${name}`,
      receipt: one(name).receipt,
      key: sets.get(situation)?.kid ?? "",
      set: sets.get(situation),
      require: "dnssec" as const,
      says: verdict,
    })),
  );
});

it("the key set has one key that signs, and the ends of those before it that the database knows", () => {
  const listed = SITUATIONS.map((situation) => {
    const { keys } = JSON.parse(sets.get(situation)?.text ?? "") as {
      keys: { kid: string; "deed:notAfter"?: string }[];
    };
    return keys.map((key) => ("deed:notAfter" in key ? "ended" : "signs")).join();
  });
  expect(listed).toEqual([
    ...["signs", "signs", "signs,ended", "signs,ended", "signs,ended", "signs", "signs,ended"],
  ]);
});
