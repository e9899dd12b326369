import { setTimeout as sleep } from "node:timers/promises";
import { parseAnchor } from "@deed/dns/dnssec/anchors.ts";
import type { Playground } from "@deed/playground/playground.ts";
import { txt } from "@deed/playground/records.ts";
import { headlineOf } from "@deed/receipt/sentences.ts";
import type { Receipt } from "@deed/receipt/statement.ts";
import { makeStampers, stampServer } from "@deed/receipt/testing/stamper.ts";
import { verifyReceipt } from "@deed/receipt/verify.ts";
import { expect } from "vitest";
import { type Client, type OpenClaim, openClaim, poll } from "./deed.ts";
import { listening } from "./service.ts";

/** What a verdict begins with. */
export const SAYS = {
  signed: "Good: signed by the domain’s own keys.",
  word: "Good, on the word of this installation and three resolvers.",
  ended: "Weaker: the key was replaced, and the receipt may have been signed later.",
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

/** Receipts of names in this DNS, with stamps of this server, and a verifier that knows the roots of both. */
export function receiptsIn(
  playground: Playground,
  stamper: Awaited<ReturnType<typeof startStamper>>,
) {
  const lines = playground.env.DNS_TRUST_ANCHORS.split("\n").filter(Boolean);
  const anchors = lines.flatMap((line) => parseAnchor(line) ?? []);
  /** For `deed verify`. */
  const trust = [
    ...lines.flatMap((line) => ["--anchor", line]),
    ...["--timestamp-roots", stamper.rootFile],
  ];
  let newestStamp = 0;

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
    const receipt = await poll(client, path, ({ stamp }) => Boolean(stamp));
    expect(receipt).toMatchObject({ stamp: { token: expect.any(String) } });
    newestStamp = Date.now();
    return { receipt: receipt as unknown as Receipt, slug: link.slug };
  }

  async function expectVerdicts(checks: Check[]): Promise<void> {
    const found = checks.map(async ({ label, receipt, key, set }) => {
      const history = set?.history && { history: set.history };
      const options = { keys: [key], anchors, stampRoots: [stamper.root], ...history };
      return `${label}: ${headlineOf(await verifyReceipt(JSON.stringify(receipt), options))}`;
    });
    expect(await Promise.all(found)).toEqual(
      checks.map(({ label, says }) => `${label}: ${SAYS[says]}`),
    );
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
