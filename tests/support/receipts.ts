import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Playground } from "@deed/playground/playground.ts";
import { txt } from "@deed/playground/records.ts";
import type { Receipt } from "@deed/receipt/statement.ts";
import { makeStampers, stampServer } from "@deed/receipt/testing/stamper.ts";
import { type Line, tell } from "@deed/receipt/testing/tell.ts";
import { expect } from "vitest";
import { type Client, type OpenClaim, openClaim, poll } from "./deed.ts";
import { lacksPython } from "./lacks.ts";
import { deedCommand } from "./product.ts";
import { closed, launch, listening, newFolder } from "./service.ts";

/** What a verdict begins with. */
export const SAYS = {
  signed: "Good: signed by the domain’s own keys.",
  word: "Good, on the word of this installation and three resolvers.",
  ended: "Weaker: nothing shows that it was signed before the key ended.",
  less: "Weaker than required: on the word of this installation and three resolvers.",
  undecided: "Weaker: this file does not show whether the domain is signed.",
  bad: "Bad: do not rely on this receipt.",
};
export type Said = keyof typeof SAYS;

export type Issued = { receipt: Receipt; slug: string };
export type KeySet = { text: string; kid: string; history?: string };
type Check = {
  label: string;
  receipt: Receipt;
  /** The thumbprint that the reader knows. */
  key: string;
  set?: KeySet | undefined;
  require?: "dnssec";
  says: Said;
};

export const withoutStamp = (receipt: Receipt): Receipt => ({ ...receipt, stamp: null });

/** A stamp server of openssl. */
export async function startStamper() {
  const stampers = makeStampers();
  const server = stampServer(stampers.reply);
  const url = await listening(server);
  const stop = () => {
    server.close();
    stampers.stop();
  };
  return { ...stampers, env: { TIMESTAMP_URL: url, TIMESTAMP_ROOTS: stampers.rootFile }, stop };
}

/** What it finds, once that is not null. */
export async function until<T>(what: string, look: () => Promise<T | null> | T | null): Promise<T> {
  const giveUpAt = Date.now() + 30_000;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (Date.now() > giveUpAt) throw new Error(`${what} did not come within 30 s`);
    await sleep(100);
  }
}

let made = 0;

/** Receipts of names in this DNS, with stamps of this server, and verifiers that know the roots of both. */
export function receiptsIn(
  playground: Playground,
  stamper: Awaited<ReturnType<typeof startStamper>>,
) {
  const anchors = playground.env.DNS_TRUST_ANCHORS.split("\n").filter(Boolean);
  const folder = newFolder();
  /** What follows FILE in `deed verify FILE`. */
  const trust = [
    ...anchors.flatMap((one) => ["--anchor", one]),
    ...["--timestamp-roots", stamper.rootFile],
  ];
  let newestStamp = 0;
  let files = 0;

  /** Opens a claim on a new name. */
  async function open(client: Client, signing: "signed" | "unsigned" = "unsigned") {
    const zone = `keys${process.pid}x${made++}.example`;
    playground.addZone({ name: zone, nameservers: ["ns1.hosting.example"], signing });
    return { ...(await openClaim(client, zone)), zone };
  }

  /** Has a claim proved and shared, and its receipt stamped. */
  async function finish(client: Client, claim: OpenClaim & { zone: string }): Promise<Issued> {
    playground.addRecord(claim.zone, txt(claim.name, claim.token));
    playground.flushWitnesses(claim.zone);
    // One that joins a read of the worker may be of the moment before.
    await until("a proof", async () => {
      const run = await client.post(`/api/verifications/${claim.verificationId}/runs`);
      return (run.body as { status?: string }).status === "proved" || null;
    });
    // An earlier database may have the claim as open, and would prove it unasked.
    playground.deleteRecord(claim.zone, ({ type }) => type === "TXT");
    const links = `/api/claims/${claim.id}/proof_links`;
    const link = await client.expect<{ slug: string }>(201, "POST", links);
    const path = `/api/proofs/${link.slug}/receipt`;
    const receipt = await poll(client, path, ({ stamp }) => Boolean(stamp), 30);
    expect(receipt).toMatchObject({ stamp: { token: expect.any(String) } });
    newestStamp = Date.now();
    return { receipt: receipt as unknown as Receipt, slug: link.slug };
  }

  /** By the command: the first line and the exit code. */
  async function byCommand({ receipt, key, set, require }: Check) {
    const file = join(folder, `${files++}.json`);
    writeFileSync(file, JSON.stringify(receipt));
    if (set) writeFileSync(`${file}.keys`, set.text);
    const keys = ["--key", key, ...(set ? ["--key", `${file}.keys`] : [])];
    const least = require ? ["--require", require] : [];
    const { ended, printed } = launch(
      deedCommand(),
      ["verify", file, ...keys, ...least, ...trust],
      {
        env: closed(),
      },
    );
    return { status: await ended, said: printed().split("\n")[0] };
  }

  const lineOf = ({ receipt, key, set, require }: Check): Line => ({
    file: Buffer.from(JSON.stringify(receipt)).toString("base64"),
    keys: [key],
    anchors,
    stampRoots: [Buffer.from(stamper.root).toString("base64")],
    ...(set?.history && { history: set.history }),
    ...(require && { require }),
  });

  /** By the second verifier, which was written from docs/receipts.md; null without Python. */
  function inPython(checks: Check[]): string[] | null {
    if (lacksPython()) return null;
    const input = checks.map((one) => `${JSON.stringify(lineOf(one))}\n`).join("");
    const script = "packages/receipt/testing/check_receipt.py";
    const { stdout, stderr } = spawnSync("/usr/bin/python3", [script], { input, encoding: "utf8" });
    expect(stderr).toBe("");
    return stdout.trimEnd().split("\n");
  }

  /** Both verifiers must say of each what it says. */
  async function expectVerdicts(checks: Check[]): Promise<void> {
    const found: string[] = [];
    const width = 4;
    for (let at = 0; at < checks.length; at += width) {
      const some = checks.slice(at, at + width);
      for (const [i, { status, said }] of (await Promise.all(some.map(byCommand))).entries())
        found.push(`${some[i]?.label}: ${status} ${said}`);
    }
    const codes = { signed: 0, word: 0, ended: 3, less: 3, undecided: 3, bad: 1 };
    expect(found).toEqual(
      checks.map(({ label, says }) => `${label}: ${codes[says]} ${SAYS[says]}`),
    );
    const theirs = inPython(checks);
    const ours = await Promise.all(checks.map((one) => tell(lineOf(one))));
    const labelled = (told: string[]) => told.map((one, at) => `${checks[at]?.label}: ${one}`);
    if (theirs) expect(labelled(theirs)).toEqual(labelled(ours));
  }

  return {
    trust,
    open,
    finish,
    expectVerdicts,
    prove: async (client: Client) => finish(client, await open(client)),
    /** Resolves once what follows is after every stamp: each may mean two seconds more than it says. */
    afterStamps: () => sleep(Math.max(0, newestStamp + 2_000 - Date.now())),
  };
}

/** The key set, once it is signed and right. */
export function keySetAt(url: string, isRight: (set: KeySet) => boolean): Promise<KeySet> {
  return until("the key set", async () => {
    const text = await (await fetch(`${url}/.well-known/jwks.json`)).text();
    const { keys, "deed:history": history } = JSON.parse(text);
    const set: KeySet = { text, kid: keys[0].kid, ...(history && { history }) };
    return history && isRight(set) ? set : null;
  });
}

/** What a stranger gets at a proof link now; null if the link is not there. */
export async function receiptAt(url: string, slug: string): Promise<Receipt | null> {
  const answer = await fetch(`${url}/api/proofs/${slug}/receipt`);
  if (answer.status === 404) return null;
  expect(answer.status).toBe(200);
  return (await answer.json()) as Receipt;
}
