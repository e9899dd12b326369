import { EXCHANGE } from "@deed/dns/testing/observations.ts";
import * as readings from "@deed/dns/testing/readings.ts";
import type { WitnessReading } from "@deed/dns/verdict/observation.ts";
import { asc } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { claimed, stay, type TestService } from "#app/core/testing/service.ts";
import { DAY, iso, MINUTE } from "#app/core/time.ts";
import { claimScreen } from "#app/features/claim-page/claim-screen.server.ts";
import { attemptEvidence, attempts } from "#db/schema.ts";
import { trimEverything } from "#worker/housekeeping.server.ts";

const { absentAt, foundAt, holdingAt, rememberedAt, unreachableAt } = readings;

const silentAt =
  (place: number): TestService["see"] =>
  (question, at) => {
    const { servers, ...read } = absentAt(question, at);
    const mute = { result: "timeout", answer: null, latencyMs: null } as const;
    return { ...read, servers: servers.map((one, i) => (i === place ? { ...one, ...mute } : one)) };
  };

/** The resolvers cache their answers for so much longer. */
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

/** Reads a claim once a minute. `shared`: for each read, the number of the read whose evidence it shares. */
async function readAll(...seen: TestService["see"][]) {
  const { service, ctx, account, claim, run, attempts: listed } = await claimed();
  for (const see of seen) {
    service.see = see;
    service.now += MINUTE;
    await run();
  }
  const screen = (read?: string) => claimScreen(ctx, account.id, claim.id, { read: read ?? null });
  const rows = ctx.db.select().from(attempts).orderBy(asc(attempts.at)).all();
  const place = (id: string | null) => rows.findIndex((row) => row.id === id);
  const shared = rows.map(({ sameAs }, index) => (sameAs ? place(sameAs) : index));
  const kept = ctx.db.select().from(attemptEvidence).orderBy(asc(attemptEvidence.at)).all();
  const owners = kept.map((row) => place(row.attemptId));
  return { service, listed, screen, rows, shared, kept: owners };
}

describe("a read keeps its evidence", () => {
  test("if the verdict changed, also back to an earlier one", async () => {
    const other = holdingAt("v=spf1 -all");
    const seen = [absentAt, absentAt, other, other, absentAt, absentAt, foundAt];
    const shared = [0, 0, 2, 2, 4, 4, 6];
    expect(await readAll(...seen)).toMatchObject({ shared, kept: [0, 2, 4, 6] });
  });

  test("if what it saw is new since then, and not if a server answers now and then", async () => {
    const seen = [absentAt, silentAt(1), absentAt, silentAt(1), silentAt(0)];
    expect(await readAll(...seen)).toMatchObject({ shared: [0, 1, 0, 1, 4], kept: [0, 1, 4] });
  });

  test("not after reads that failed on this side, which change no verdict", async () => {
    const failing: TestService["see"] = () => Promise.reject(new Error("no"));
    const seen = [absentAt, failing, unreachableAt, absentAt, unreachableAt];
    const all = await readAll(...seen);
    expect(all).toMatchObject({ shared: [0, 1, 2, 0, 2], kept: [0, 2] });
    const id = all.rows[1]?.id ?? "";
    expect((await all.screen(id)).shown).toMatchObject({ id, evidence: null, evidenceAt: null });
  });
});

describe("a read that saw the same", () => {
  test("has the diagnosis of the other, and shows its evidence with the time of that one", async () => {
    const { listed, screen, rows } = await readAll(absentAt, absentAt, absentAt);
    expect(rows.map(({ diagnosis }) => diagnosis === null)).toEqual([false, true, true]);
    const absent = { diagnosis: { code: "record_absent" } };
    expect(await listed()).toMatchObject([absent, absent, absent]);
    const { shown, timeline } = await screen();
    const [first, newest] = [rows[0], rows[2]];
    const evidenceAt = iso(first?.at ?? 0);
    expect(shown).toMatchObject({ id: newest?.id, at: iso(newest?.at ?? 0), evidenceAt });
    expect(shown?.evidence).toMatchObject({ at: first?.at });
    expect(timeline[0]).toMatchObject({ says: "no record yet", more: "3 checks" });
    const own = (await screen(first?.id)).shown;
    expect(own).toMatchObject({ id: first?.id, evidence: { at: first?.at }, evidenceAt: null });
  });

  test("keeps a diagnosis that says another time", async () => {
    const { listed, shared } = await readAll(rememberedFor(600), rememberedFor(540));
    expect(shared).toEqual([0, 0]);
    const left = [540, 600].map((secondsRemaining) => ({ observed: { secondsRemaining } }));
    expect((await listed()).map(({ diagnosis }) => diagnosis)).toMatchObject(left);
  });

  test("shows the summary once the evidence is trimmed", async () => {
    const { service, screen } = await readAll(absentAt, absentAt);
    service.now += 31 * DAY;
    await trimEverything(service.ctx, stay);
    const { shown } = await screen();
    expect(shown?.evidence).toMatchObject({ zone: "acme.com", packets: 8 });
    expect(shown?.evidence).not.toHaveProperty("exchanges");
  });
});

test("an abandoned claim takes at most 200 KB, read twice as often as the schedule does", async () => {
  const READS = 440;
  const { service, ctx, run, attempts } = await claimed();
  // 22 questions, as for a zone with four nameservers.
  service.see = (question, at) => {
    const exchanges = Array.from({ length: 22 }, (_, i) => ({ ...EXCHANGE, at: at + i }));
    return { ...absentAt(question, at), exchanges };
  };
  const bytes = () => 4_096 * Number(ctx.db.$client.pragma("page_count", { simple: true }));
  const before = bytes();
  for (let read = 0; read < READS; read++) {
    service.now += (7 * DAY) / (READS + 1);
    await run();
  }
  expect(await attempts()).toHaveLength(READS);
  expect(bytes() - before).toBeLessThanOrEqual(200_000);
});
