import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startPlayground } from "@deed/playground/playground.ts";
import {
  type Receipt,
  STATEMENT_TYPE,
  type Statement,
  tokenInput,
} from "@deed/receipt/statement.ts";
import { afterAll, it as always, beforeAll, expect } from "vitest";
import { type Signer, sha256, signerOf, signJws } from "#app/features/receipts/signer.server.ts";
import { deed } from "../support/command.ts";
import { openClaim, roomy, signIn } from "../support/deed.ts";
import { lacks } from "../support/lacks.ts";
import { deedCommand } from "../support/product.ts";
import {
  type KeySet,
  keySetAt,
  receiptsIn,
  SAYS,
  type Said,
  startStamper,
  until,
  withoutStamp,
} from "../support/receipts.ts";
import { freePort, launch, newFolder, type Service, startService } from "../support/service.ts";

/** Stamps are of openssl. */
const it = always.skipIf(lacks("openssl"));

/** docs/operate/signing-key.md, followed to the letter on an installation whose key was stolen. */

const [, section = ""] = readFileSync("docs/operate/signing-key.md", "utf8").split(
  "## If the key was stolen\n",
);
const [values = "", remedy = "", reading = "", ...others] = [
  ...(section.split("\n## ")[0] ?? "").matchAll(/```sh\n([\s\S]*?)```/g),
].map(([, text = ""]) => text);

const [revocation = ""] = remedy.split("\n");

/**
 * The right verdicts: with the new thumbprint and the key set, without a stamp and with one; then to those who know only
 * the old thumbprint, or the new one, and have no key set.
 */
const TABLE = {
  before: ["bad", "word", "word", "bad"],
  after: ["bad", "bad", "word", "bad"],
  madeUp: ["bad", "bad", "undecided", "bad"],
  dressed: ["bad", "bad", "word", "bad"],
  waiting: ["signed", "signed"],
  repeated: ["word", "word"],
  fresh: ["word", "word", "bad", "word"],
} satisfies Record<string, Said[]>;
type Name = keyof typeof TABLE;
const NAMES = Object.keys(TABLE) as Name[];

/** The product is started several times. */
const SETUP_MS = 240_000;
const endings: (() => unknown)[] = [];
const issued = {} as Record<Name, Receipt>;
let world: ReturnType<typeof receiptsIn>;
let service: Service;
let stolen: Signer;
let set: KeySet;
let pageOfStolen: string;
let afterRestore: { forgetful: KeySet; again: KeySet };
const folder = newFolder();
const page: NodeJS.ProcessEnv = { NODE_ENV: "production" };

const statementOf = ({ statement }: Receipt): Statement =>
  JSON.parse(Buffer.from(statement.split(".")[1] ?? "", "base64url").toString());

/** As a thief makes one: for another holder, with a token that fits. */
function forge(from: Receipt, changes: Partial<Statement>): Receipt {
  const said = { ...statementOf(from), ...changes, heldBy: "t•••@thief.example" };
  said.holderCommitment = sha256("the thief").toString("base64url");
  const { holderCommitment, challengeName, nonce = "" } = said;
  const digits = sha256(tokenInput(holderCommitment, stolen.kid, challengeName, nonce));
  said.token = said.token.slice(0, -40) + digits.toString("hex", 0, 20);
  const statement = signJws(stolen, STATEMENT_TYPE, said);
  return { ...from, statement, ...(said.dnssec === "indeterminate" && { dnssec: null }) };
}

/** Runs what the page says, as it stands there. */
async function follow(script: string): Promise<{ status: number | null; said: string }> {
  const { ended, printed } = launch("sh", ["-ec", script], { cwd: folder, env: page });
  return { status: await ended, said: printed() };
}

/** A `systemctl` that asks this test to restart the service, and waits until it has. */
const SYSTEMCTL = `#!/bin/sh
[ "$*" = "restart deed" ] || exit 64
: > asked
while [ -e asked ]; do sleep 0.05; done
`;

beforeAll(async () => {
  const playground = await startPlayground();
  const stamper = await startStamper();
  endings.push(playground.stop, stamper.stop);
  world = receiptsIn(playground, stamper);
  const [dataDir, port] = [newFolder(), await freePort()];
  const env = { ...roomy(), ...playground.env, ...stamper.env };
  const start = async () => {
    service = await startService({ env, dataDir, port });
  };
  await start();
  const client = await signIn(service, "maria@holder.example");
  const domain = await world.open(client);
  issued.before = (await world.finish(client, domain)).receipt;
  const waiting = await world.open(client, "signed");
  const backup = join(folder, "before.db");
  const run = (...args: string[]) =>
    expect(deed(args, { env: { DATA_DIR: dataDir } })).toMatchObject({ status: 0, stderr: "" });
  run("backup", backup);
  await world.afterStamps();

  const SINCE = new Date().toISOString();
  stolen = signerOf(readFileSync(join(dataDir, "signing-key"), "utf8").trim());
  const after = await world.prove(client);
  issued.after = after.receipt;
  const stamped = (receipt: Receipt) => {
    const token = stamper.token(receipt.statement);
    return { ...receipt, stamp: { token: Buffer.from(token).toString("base64") } };
  };
  const provedAt = new Date(Date.parse(SINCE) - 60_000).toISOString();
  const dates = { provedAt, iat: Math.floor(Date.parse(provedAt) / 1_000) };
  const { challengeName } = statementOf(issued.before);
  const other = {
    sub: "bank.example",
    challengeName: `${challengeName.split(".")[0]}.bank.example`,
    dnssec: "indeterminate" as const,
  };
  issued.madeUp = stamped(forge(issued.before, { ...dates, ...other }));
  issued.dressed = stamped(forge(issued.before, dates));

  symlinkSync(deedCommand(), join(folder, "deed"));
  writeFileSync(join(folder, "systemctl"), SYSTEMCTL, { mode: 0o755 });
  Object.assign(page, {
    PATH: `${folder}:${process.env.PATH}`,
    DATA_DIR: dataDir,
    ...{ STOLEN: stolen.kid, SINCE, DEED_URL: service.url },
  });
  const following = follow(remedy);
  await until("the restart", () => existsSync(join(folder, "asked")) || null);
  expect(await service.stop()).toBe(0);
  await start();
  rmSync(join(folder, "asked"));
  const done = await following;
  expect(done).toMatchObject({ status: 0 });
  set = await keySetAt(service.url, ({ kid }) => kid !== stolen.kid);
  expect(done.said).toContain(`The new key is ${set.kid}.`);
  page.NEW = set.kid;

  issued.waiting = (await world.finish(client, waiting)).receipt;
  const repeated = { ...domain, ...(await openClaim(client, domain.zone)) };
  issued.repeated = (await world.finish(client, repeated)).receipt;
  issued.fresh = (await world.prove(client)).receipt;
  pageOfStolen = (await client.submit(`/p/${after.slug}`)).text;
  await world.afterStamps();

  await service.stop();
  run("restore", backup);
  await start();
  const forgetful = await keySetAt(service.url, ({ kid }) => kid === page.NEW);
  expect(await follow(revocation)).toMatchObject({ status: 0 });
  const again = await keySetAt(service.url, ({ text }) => text.includes("deed:compromisedSince"));
  afterRestore = { forgetful, again };
}, SETUP_MS);
afterAll(async () => {
  await service?.kill();
  for (const end of endings) await end();
});

const table = (withSet: KeySet, names = NAMES) =>
  names.flatMap((name) => {
    const { [name]: receipt } = issued;
    const reader = { label: name, key: withSet.kid, set: withSet };
    const [bare = "bad", stamped = "bad"]: Said[] = TABLE[name];
    return [
      { ...reader, receipt: withoutStamp(receipt), says: bare },
      { ...reader, receipt, says: stamped },
    ];
  });

it("names the values that its commands need, and has no other commands", () => {
  expect(values.match(/(?<=export )\w+/g)).toEqual(["STOLEN", "SINCE", "DEED_URL"]);
  expect(others).toEqual([]);
});

it("ends with the verdicts that it promises, to readers with the new thumbprint and the key set", async () => {
  await world.expectVerdicts(table(set));
  expect(pageOfStolen).toContain("This proof does not hold: do not rely on it.");
});

it("says what those read who go by one thumbprint alone, or by the old one", async () => {
  const one = (name: Name, key: string, says: Said | undefined) =>
    says ? [{ label: name, receipt: issued[name], key, says }] : [];
  await world.expectVerdicts(
    NAMES.flatMap((name) => {
      const [, , byOld, byNew]: Said[] = TABLE[name];
      return [...one(name, stolen.kid, byOld), ...one(name, set.kid, byNew)];
    }),
  );
  // The key set of today is signed by a key that they do not know.
  const dressed = { label: "dressed", receipt: issued.dressed };
  await world.expectVerdicts([{ ...dressed, key: stolen.kid, set, says: "word" }]);
});

always.skipIf(lacks("openssl", "curl"))("has the command of a reader", async () => {
  const trust = world.trust.map((one) => `'${one}'`).join(" ");
  const read = async (receipt: Receipt) => {
    writeFileSync(join(folder, "receipt.json"), JSON.stringify(receipt));
    const { status, said } = await follow(`${reading.trimEnd()} ${trust}`);
    return `${status} ${said.split("\n")[0]}`;
  };
  expect(await read(issued.fresh)).toBe(`0 ${SAYS.word}`);
  expect(await read(issued.dressed)).toBe(`1 ${SAYS.bad}`);
});

it("has an earlier backup forget the theft, until the key is revoked again", async () => {
  const { forgetful, again } = afterRestore;
  const reader = { key: forgetful.kid, set: forgetful };
  await world.expectVerdicts([
    { label: "dressed", receipt: issued.dressed, ...reader, says: "word" },
    ...table(again, ["before", "dressed", "waiting"]),
  ]);
});
