import type { ChallengeQuestion } from "@deed/dns/resolve/reader.ts";
import {
  absentAt,
  foundAt,
  holdingAt,
  rememberedAt,
  unreachableAt,
} from "@deed/dns/testing/readings.ts";
import type { Exchange, WitnessReading } from "@deed/dns/verdict/observation.ts";
import { asc } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { claimed, type TestService, testService } from "#app/core/testing/service.ts";
import { DAY, MINUTE } from "#app/core/time.ts";
import { claimScreen } from "#app/features/claim-page/claim-screen.server.ts";
import { attemptEvidence, attempts } from "#db/schema.ts";
import { trimEverything } from "#worker/housekeeping.server.ts";
import { listAttempts } from "./verifications.server.ts";

const stay = new AbortController().signal;

/** The nameserver at this place does not answer. */
const silentAt =
  (place: number): TestService["see"] =>
  (question, at) => {
    const read = absentAt(question, at);
    const servers = read.servers.map((server, index) =>
      index === place
        ? { ...server, result: "timeout" as const, answer: null, latencyMs: null }
        : server,
    );
    return { ...read, servers };
  };

/** The resolvers' answers live this much longer. */
const rememberedFor =
  (ttl: number): TestService["see"] =>
  (question, at) => {
    const read = rememberedAt(question, at);
    const aged = ({ answer, ...witness }: WitnessReading) => ({
      ...witness,
      answer: answer && { ...answer, soa: answer.soa && { ...answer.soa, ttl } },
    });
    return { ...read, witnesses: read.witnesses?.map(aged) ?? null };
  };

/** Reads a claim once a minute. `shared`: of each read, the number of the one whose evidence it has. */
async function readAll(...seen: TestService["see"][]) {
  const { service, ctx, account, claim, run } = await claimed();
  for (const see of seen) {
    service.see = see;
    service.now += MINUTE;
    await run();
  }
  const rows = ctx.db.select().from(attempts).orderBy(asc(attempts.at)).all();
  const place = (id: string | null) => rows.findIndex((row) => row.id === id);
  const shared = rows.map(({ sameAs }, index) => (sameAs ? place(sameAs) : index));
  const kept = ctx.db.select().from(attemptEvidence).orderBy(asc(attemptEvidence.at)).all();
  return { service, account, claim, rows, shared, kept: kept.map((row) => place(row.attemptId)) };
}

describe("a read keeps its evidence", () => {
  test("if the verdict changed, also back to an earlier one", async () => {
    const other = holdingAt("v=spf1 -all");
    const seen = [absentAt, absentAt, other, other, absentAt, absentAt, foundAt];
    const { shared, kept } = await readAll(...seen);
    expect(shared).toEqual([0, 0, 2, 2, 4, 4, 6]);
    expect(kept).toEqual([0, 2, 4, 6]);
  });

  test("if what it saw is new since then, and not if a server answers now and then", async () => {
    const seen = [absentAt, silentAt(1), absentAt, silentAt(1), silentAt(0)];
    const { shared, kept } = await readAll(...seen);
    expect(shared).toEqual([0, 1, 0, 1, 4]);
    expect(kept).toEqual([0, 1, 4]);
  });

  test("not after reads that failed on this side, which change no verdict", async () => {
    const failing: TestService["see"] = () => Promise.reject(new Error("no"));
    const seen = [absentAt, failing, unreachableAt, absentAt, unreachableAt];
    const { service, account, claim, rows, shared, kept } = await readAll(...seen);
    expect(shared).toEqual([0, 1, 2, 0, 2]);
    expect(kept).toEqual([0, 2]);
    const { shown } = await claimScreen(service.ctx, account.id, claim.id, rows[1]?.id ?? "");
    expect(shown).toMatchObject({ id: rows[1]?.id, evidence: null, evidenceAt: null });
  });
});

describe("a read that saw the same", () => {
  test("has the diagnosis of the other, and shows its evidence with the time of that one", async () => {
    const { service, account, claim, rows } = await readAll(absentAt, absentAt, absentAt);
    expect(rows.map(({ diagnosis }) => diagnosis === null)).toEqual([false, true, true]);
    const listed = await listAttempts(service.ctx, account.id, claim.verificationId);
    expect(listed.map(({ diagnosis }) => diagnosis?.code)).toEqual(Array(3).fill("record_absent"));
    const { shown, reads } = await claimScreen(service.ctx, account.id, claim.id, null);
    const [first, , newest] = rows;
    expect(shown).toMatchObject({
      id: newest?.id,
      at: new Date(newest?.at ?? 0).toISOString(),
      evidence: { at: first?.at },
      evidenceAt: new Date(first?.at ?? 0).toISOString(),
    });
    expect(reads.groups).toMatchObject([{ results: [{ says: "record missing", count: 3 }] }]);
    const own = await claimScreen(service.ctx, account.id, claim.id, first?.id ?? "");
    expect(own.shown?.evidenceAt).toBeNull();
  });

  test("keeps a diagnosis that says another time", async () => {
    const seen = [rememberedFor(600), rememberedFor(540)];
    const { service, account, claim, shared } = await readAll(...seen);
    expect(shared).toEqual([0, 0]);
    const listed = await listAttempts(service.ctx, account.id, claim.verificationId);
    const seconds = listed.map(({ diagnosis }) =>
      diagnosis?.code === "negative_cache" ? diagnosis.observed.secondsRemaining : null,
    );
    expect(seconds).toEqual([540, 600]);
  });

  test("shows the summary once the evidence is trimmed", async () => {
    const { service, account, claim } = await readAll(absentAt, absentAt);
    service.now += 31 * DAY;
    await trimEverything(service.ctx, stay);
    const { shown } = await claimScreen(service.ctx, account.id, claim.id, null);
    expect(shown?.evidence).toMatchObject({ zone: "acme.com", packets: 8 });
    expect(shown?.evidence).not.toHaveProperty("exchanges");
  });
});

/** A read of 22 questions, as one of a zone with four nameservers makes. */
const asking = (question: ChallengeQuestion, at: number) => {
  const exchange = (index: number): Exchange => ({
    server: `ns${index}.example.net`,
    address: `192.0.2.${index}`,
    transport: "udp",
    question: { name: `${question.label}.${question.domain}`, type: "TXT" },
    at: at + index,
    latencyMs: (at + index) % 97,
    result: "answered",
    rcode: "NXDOMAIN",
    aa: true,
    ad: false,
    tc: false,
  });
  return {
    ...absentAt(question, at),
    exchanges: Array.from({ length: 22 }, (_, i) => exchange(i)),
  };
};

test("an abandoned claim takes at most 200 KB, read twice as often as the schedule does", async () => {
  const READS = 440;
  const service = testService();
  service.see = asking;
  const claims = [];
  for (const name of ["a.example", "b.example"])
    claims.push(await claimed(service, "maria@example.org", name));
  const pages = () => Number(service.ctx.db.$client.pragma("page_count", { simple: true }));
  const before = pages();
  for (let read = 0; read < READS; read++) {
    service.now += (7 * DAY) / (READS + 1);
    await Promise.all(claims.map(({ run }) => run()));
    if (read % 60 === 0) await trimEverything(service.ctx, stay);
  }
  expect(service.ctx.db.select().from(attempts).all()).toHaveLength(READS * claims.length);
  expect(((pages() - before) * 4096) / claims.length).toBeLessThanOrEqual(200_000);
});
