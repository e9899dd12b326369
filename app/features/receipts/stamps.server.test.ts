import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { makeStampers } from "@deed/receipt/testing/stamper.ts";
import { verifyReceipt } from "@deed/receipt/verify.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listening } from "#app/core/testing/servers.ts";
import { claimed, proved, stay, type TestService, testService } from "#app/core/testing/service.ts";
import { parseEnvironment } from "#app/environment/env.server.ts";
import { renderMetrics } from "#app/http/metrics.server.ts";
import { stamperOf } from "#app/ops/settings.server.ts";
import { claims, receipts } from "#db/schema.ts";
import { says } from "../../../tests/contract/sentences.ts";
import { lacks } from "../../../tests/support/lacks.ts";
import { readHolderReceipt } from "../proofs/receipts.server.ts";
import { signOldReceiptsAgain } from "./issue.server.ts";
import { receiptStamping } from "./stamps.server.ts";

type Answer = { status?: number; headers?: Record<string, string>; body: Uint8Array };

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
  });
  afterAll(() => stampers?.stop());
  beforeEach(() => {
    asked = [];
    answer = (query) => ({ body: stampers.reply(query) });
  });

  const settings = (address: string, root = stampers.rootFile) =>
    parseEnvironment({ TIMESTAMP_URL: address, ...(root && { TIMESTAMP_ROOTS: root }) });
  /** A proof, made this long from now, with a stamper. */
  const stamped = (address = url, ahead = 0) => {
    const service = testService();
    service.now = Date.now() + ahead;
    service.ctx.stamper = stamperOf(settings(address));
    return proved(service);
  };
  const rowOf = ({ ctx }: TestService) => ctx.db.select().from(receipts).get();
  const get = ({ ctx }: TestService) => receiptStamping(ctx, stay)();
  const minutes = 60_000;

  it(says("C23.14"), async () => {
    const { service, account, claim } = await stamped();
    expect(readHolderReceipt(service.ctx, account.id, claim.id).receipt.stamp).toBeNull();
    await get(service);
    const { receipt } = readHolderReceipt(service.ctx, account.id, claim.id);
    const token = Buffer.from(receipt.stamp?.token ?? "", "base64");
    expect(stampers.accepts(token, receipt.statement)).toBe(true);
    const report = await verifyReceipt(JSON.stringify(receipt), { stampRoots: [stampers.root] });
    const shown = expect.objectContaining({ part: "stamp", state: "shown", code: "stamped" });
    expect(report.parts).toContainEqual(shown);
    expect(asked.length).toBe(1);
    expect(asked[0]?.toString("latin1")).not.toContain(claim.domain);
    await get(service);
    expect(asked.length).toBe(1);
  });

  it("is fetched later if the stamper was away, and given up after 30 days", async () => {
    const { service } = await stamped();
    answer = () => ({ status: 503, body: Buffer.from("away") });
    await get(service);
    expect(rowOf(service)).toMatchObject({ stamp: null, stampDueAt: service.now + minutes });
    expect(service.complaints).toEqual(["the stamper gave no stamp"]);
    service.now += 3 * 24 * 60 * minutes;
    await get(service);
    expect(rowOf(service)?.stampDueAt).toBe(service.now + 24 * 60 * minutes);
    service.now += 24 * 60 * minutes;
    answer = (query) => ({ body: stampers.reply(query) });
    await get(service);
    expect(rowOf(service)).toMatchObject({ stamp: expect.any(Buffer), stampDueAt: null });

    const { service: other } = await stamped();
    answer = () => ({ status: 503, body: Buffer.from("away") });
    other.now += 31 * 24 * 60 * minutes;
    await get(other);
    expect(rowOf(other)).toMatchObject({ stamp: null, stampDueAt: null });
  });

  it("waits for a stamper that fails, and asks it one thing at a time", async () => {
    const { service } = await stamped();
    await proved(service, "noor@example.org");
    answer = () => ({ status: 500, body: Buffer.from("") });
    const stamp = receiptStamping(service.ctx, stay);
    await stamp();
    await stamp();
    expect(asked.length).toBe(1);
  });

  it.each<[string, (query: Buffer) => Answer]>([
    ["a redirect", () => ({ status: 302, headers: { Location: "/tsa/else" }, body: Buffer.of() })],
    ["17 KB", (query) => ({ body: Buffer.concat([stampers.reply(query), Buffer.alloc(17_000)]) })],
    ["a stamp of another nonce", (query) => ({ body: stampers.reply(changed(query, -4)) })],
    ["a stamp of another hash", (query) => ({ body: stampers.reply(changed(query, 30)) })],
    ["a refusal", () => ({ body: Buffer.from("30053003020102", "hex") })],
    ["no DER", () => ({ body: Buffer.from("<html>") })],
  ])("is not %s", async (_, given) => {
    const { service } = await stamped();
    answer = given;
    await get(service);
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
    await signOldReceiptsAgain(service.ctx, stay);
    await get(service);
    const { receipt } = readHolderReceipt(service.ctx, account.id, claim.id);
    const token = Buffer.from(receipt.stamp?.token ?? "", "base64");
    expect(stampers.accepts(token, receipt.statement)).toBe(true);
  });

  it("leads to a known root, or is asked for again", async () => {
    const { service, claim } = await stamped();
    service.ctx.stamper = stamperOf(settings(url, ""));
    const reasons: string[] = [];
    service.ctx.log.warn = ({ err }: { err?: Error }) => void reasons.push(err?.message ?? "");
    await get(service);
    expect(rowOf(service)).toMatchObject({ stamp: null, stampDueAt: service.now + minutes });
    const why = /^the stamp of Test stamper leads to no known root: .*TIMESTAMP_ROOTS/;
    expect(reasons[0]).toMatch(why);
    expect(renderMetrics([])).toMatch(/^deed_stamp_tries_total\{result="unknown_root"\} [1-9]/m);
    // Stamps from an earlier version stay.
    const stored = { stamp: Buffer.from("kept"), stampDueAt: null };
    service.ctx.db.update(receipts).set(stored).run();
    await get(service);
    expect(rowOf(service)).toMatchObject({ claimId: claim.id, ...stored });
  });

  it("is not older than the proof", async () => {
    const { service } = await stamped(url, 5 * minutes);
    await get(service);
    expect(rowOf(service)?.stamp).toBeNull();
  });

  const CLOUDS = `http://169.254.169.254/tsa http://[fd00:ec2::254]/tsa http://100.100.100.200/`;
  it.each(CLOUDS.split(" "))("is never asked of a cloud: %s", async (address) => {
    const { service } = await stamped(address);
    await get(service);
    expect(service.complaints).toEqual(["the stamper gave no stamp"]);
    expect(rowOf(service)?.stamp).toBeNull();
    expect(service.ctx.stamper?.outbound.problem(address)).toMatch(/not a public address/);
  });

  it("is wanted only where a stamper is named", async () => {
    const service = testService();
    await claimed(service);
    await proved(service, "noor@example.org");
    expect(rowOf(service)).toMatchObject({ stamp: null, stampDueAt: null });
    await get(service);
    expect(asked).toEqual([]);
  });
});
