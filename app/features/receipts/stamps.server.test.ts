import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { certificate, der, elliptic, leaf, tokenOf } from "@deed/receipt/testing/odd-stamps.ts";
import { makeStampers } from "@deed/receipt/testing/stamper.ts";
import { verifyReceipt } from "@deed/receipt/verify.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listening } from "#app/core/testing/servers.ts";
import { claimed, proved, type TestService, testService } from "#app/core/testing/service.ts";
import { parseEnvironment } from "#app/environment/env.server.ts";
import { renderMetrics } from "#app/http/metrics.server.ts";
import { stamperOf } from "#app/ops/settings.server.ts";
import { claims, receipts } from "#db/schema.ts";
import { says } from "../../../tests/contract/sentences.ts";
import { lacks } from "../../../tests/support/lacks.ts";
import { readOwnReceipt } from "../proofs/receipts.server.ts";
import { signOldReceiptsAgain } from "./issue.server.ts";
import { stamping } from "./stamps.server.ts";

type Answer = { status?: number; headers?: Record<string, string>; body: Uint8Array };
const { signal } = new AbortController();

describe.skipIf(lacks("openssl"))("the stamp of a receipt", () => {
  let stampers: ReturnType<typeof makeStampers>;
  let url: string;
  let answer: (query: Buffer) => Answer;
  let asked: Buffer[];
  beforeAll(async () => {
    stampers = makeStampers();
    const server = createServer(async (request, response) => {
      const query = await buffer(request);
      asked.push(query);
      const { status = 200, headers = {}, body } = answer(query);
      response.writeHead(status, headers).end(body);
    });
    const { port, stop } = await listening(server);
    url = `http://127.0.0.1:${port}/tsa`;
    return stop;
  }, 60_000);
  afterAll(() => stampers?.stop());
  beforeEach(() => {
    asked = [];
    answer = (query) => ({ body: stampers.reply(query) });
  });

  const settings = (address: string, root = stampers.rootFile) =>
    parseEnvironment({ TIMESTAMP_URL: address, ...(root && { TIMESTAMP_ROOTS: root }) });
  const withStamper = (address = url): TestService => {
    const service = testService();
    service.now = Date.now();
    service.ctx.stamper = stamperOf(settings(address));
    return service;
  };
  /** Why tries fail, from now on. */
  const reasonsOf = (service: TestService) => {
    const reasons: string[] = [];
    const warn = ({ err }: { err?: Error }) => void reasons.push(err?.message ?? "");
    service.ctx.log = { ...service.ctx.log, warn };
    return reasons;
  };
  const rowOf = ({ ctx }: TestService) => ctx.db.select().from(receipts).get();
  const minutes = 60_000;

  it(says("C23.14"), async () => {
    const service = withStamper();
    const { account, claim } = await proved(service);
    expect(readOwnReceipt(service.ctx, account.id, claim.id).receipt.stamp).toBeNull();
    await stamping(service.ctx, signal)();
    const { receipt } = readOwnReceipt(service.ctx, account.id, claim.id);
    const token = Buffer.from(receipt.stamp?.token ?? "", "base64");
    expect(stampers.accepts(token, receipt.statement)).toBe(true);
    const report = await verifyReceipt(JSON.stringify(receipt), { stampRoots: [stampers.root] });
    expect(report.parts).toContainEqual(
      expect.objectContaining({ part: "stamp", state: "shown", code: "stamped" }),
    );
    expect(asked.length).toBe(1);
    expect(asked[0]?.toString("latin1")).not.toContain(claim.domain);
    await stamping(service.ctx, signal)();
    expect(asked.length).toBe(1);
  });

  it("is fetched later if the stamper was away, and given up after 30 days", async () => {
    const service = withStamper();
    await proved(service);
    answer = () => ({ status: 503, body: Buffer.from("away") });
    await stamping(service.ctx, signal)();
    expect(rowOf(service)).toMatchObject({ stamp: null, stampDueAt: service.now + minutes });
    expect(service.complaints).toEqual(["the stamper gave no stamp"]);
    service.now += 3 * 24 * 60 * minutes;
    await stamping(service.ctx, signal)();
    expect(rowOf(service)?.stampDueAt).toBe(service.now + 24 * 60 * minutes);
    service.now += 24 * 60 * minutes;
    answer = (query) => ({ body: stampers.reply(query) });
    await stamping(service.ctx, signal)();
    expect(rowOf(service)).toMatchObject({ stamp: expect.any(Buffer), stampDueAt: null });

    const other = withStamper();
    await proved(other);
    answer = () => ({ status: 503, body: Buffer.from("away") });
    other.now += 31 * 24 * 60 * minutes;
    await stamping(other.ctx, signal)();
    expect(rowOf(other)).toMatchObject({ stamp: null, stampDueAt: null });
  });

  it("waits for a stamper that fails, and asks it one thing at a time", async () => {
    const service = withStamper();
    await proved(service, "maria@acme.com");
    await proved(service, "noor@example.org");
    answer = () => ({ status: 500, body: Buffer.from("") });
    const stamp = stamping(service.ctx, signal);
    await stamp();
    await stamp();
    expect(asked.length).toBe(1);
  });

  it.each<[string, (query: Buffer) => Answer]>([
    [
      "a redirect",
      () => ({ status: 302, headers: { Location: "/tsa/else" }, body: Buffer.from("") }),
    ],
    ["17 KB", (query) => ({ body: Buffer.concat([stampers.reply(query), Buffer.alloc(17_000)]) })],
    ["a stamp of another nonce", (query) => ({ body: stampers.reply(changed(query, -4)) })],
    ["a stamp of another hash", (query) => ({ body: stampers.reply(changed(query, 30)) })],
    ["a refusal", () => ({ body: Buffer.from("30053003020102", "hex") })],
    ["no DER", () => ({ body: Buffer.from("<html>") })],
  ])("is not %s", async (_, given) => {
    const service = withStamper();
    await proved(service);
    answer = given;
    await stamping(service.ctx, signal)();
    expect(asked.length).toBe(1);
    expect(rowOf(service)).toMatchObject({ stamp: null, stampDueAt: service.now + minutes });
  });

  const changed = (query: Buffer, at: number) => {
    const other = Buffer.from(query);
    const place = at < 0 ? other.length + at : at;
    other[place] = (other[place] ?? 0) ^ 1;
    return other;
  };

  it("is wanted for a receipt of an earlier version too, once it is signed again", async () => {
    const service = testService();
    service.now = Date.now();
    const { account, claim } = await proved(service);
    service.ctx.db.update(claims).set({ salt: null, nonce: null }).run();
    service.ctx.stamper = stamperOf(settings(url));
    await signOldReceiptsAgain(service.ctx, signal);
    await stamping(service.ctx, signal)();
    const { receipt } = readOwnReceipt(service.ctx, account.id, claim.id);
    const token = Buffer.from(receipt.stamp?.token ?? "", "base64");
    expect(stampers.accepts(token, receipt.statement)).toBe(true);
  });

  it("leads to a known root, or is asked for again", async () => {
    const service = withStamper();
    service.ctx.stamper = stamperOf(settings(url, ""));
    const { claim } = await proved(service);
    const reasons = reasonsOf(service);
    await stamping(service.ctx, signal)();
    expect(rowOf(service)).toMatchObject({ stamp: null, stampDueAt: service.now + minutes });
    expect(reasons[0]).toMatch(
      /^the stamp of Test stamper leads to no known root: .*TIMESTAMP_ROOTS/,
    );
    expect(renderMetrics([])).toMatch(/^deed_stamp_tries_total\{result="unknown_root"\} [1-9]/m);
    // Those that an earlier version kept stay.
    const stored = { stamp: Buffer.from("kept"), stampDueAt: null };
    service.ctx.db.update(receipts).set(stored).run();
    await stamping(service.ctx, signal)();
    expect(rowOf(service)).toMatchObject({ claimId: claim.id, ...stored });
  });

  it("is not one with circular certificates, which ends at once", async () => {
    const service = withStamper();
    await proved(service);
    const [a, b] = [elliptic(), elliptic()].map((key, at) => ({ name: `CA ${at}`, key }));
    const by = { name: "Circle", key: elliptic() };
    if (!a || !b) throw new Error("no keys");
    const now = { from: Date.now() - 60_000, until: Date.now() + 600_000 };
    const own = leaf({ subject: by, issuer: a, ...now });
    const circle = [
      certificate({ subject: a, issuer: b, ...now }),
      certificate({ subject: b, issuer: a, ...now }),
    ];
    answer = (query) => {
      const text = rowOf(service)?.statement ?? "";
      const nonce = query.subarray(-13, -3);
      const more = { at: Date.now(), content: nonce };
      const token = tokenOf(text, { certificate: own, party: by, issuer: a }, circle, more);
      return { body: der(0x30, der(0x30, "020100"), token) };
    };
    const reasons = reasonsOf(service);
    await stamping(service.ctx, signal)();
    expect(rowOf(service)).toMatchObject({ stamp: null, stampDueAt: service.now + minutes });
    expect(reasons[0]).toMatch(/^the stamp of Circle leads to no known root/);
  });

  it("is not older than the proof", async () => {
    const service = withStamper();
    service.now += 5 * minutes;
    await proved(service);
    await stamping(service.ctx, signal)();
    expect(rowOf(service)?.stamp).toBeNull();
  });

  it.each(["http://169.254.169.254/tsa", "http://[fd00:ec2::254]/tsa", "http://100.100.100.200/"])(
    "is never asked of a cloud: %s",
    async (address) => {
      const service = withStamper(address);
      await proved(service);
      await stamping(service.ctx, signal)();
      expect(service.complaints).toEqual(["the stamper gave no stamp"]);
      expect(rowOf(service)?.stamp).toBeNull();
      const problem = service.ctx.stamper?.outbound.problem(address);
      expect(problem).toMatch(/not a public address/);
    },
  );

  it("is wanted only where a stamper is named", async () => {
    const service = testService();
    await claimed(service);
    await proved(service, "noor@example.org");
    expect(rowOf(service)).toMatchObject({ stamp: null, stampDueAt: null });
    await stamping(service.ctx, signal)();
    expect(asked).toEqual([]);
  });
});
