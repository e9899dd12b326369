import { altered, opt, rcode, resolving } from "@deed/dns/testing/faults.ts";
import { encodeAnswer, type LabBehaviour } from "@deed/dns/testing/lab-server.ts";
import { empty, type LabAnswer, toAnswer } from "@deed/dns/testing/lab-zone.ts";
import { netOf, World, type WorldSetup } from "@deed/dns/testing/world.ts";
import { describe, expect, test } from "vitest";
import { claimed, readDue } from "#app/core/testing/service.ts";
import { MINUTE, SECOND } from "#app/core/time.ts";
import { verifications } from "#db/schema.ts";
import { FIRST_READ_AFTER_MS } from "./transition.ts";

/**
 * Times are seconds after the first read, which finds the record on every nameserver. The zone's negative TTL, then for
 * each resolver what it has cached and for how long: "old" a denial ("/": one in each of two caches), "value" another
 * value; how long its instances of the nameservers lag; its limit on TTLs. "never": it sees another view of the zone.
 */
const CASES = `
300 | has | has | has
300 | old 290 | has | has
300 | has | has | old 290
300 | old 120 | old 200 | has
300 | has | old 120 | old 200
300 | old 200 | has | old 40
300 | old 290 | old 290 | old 290
300 | old 20 | old 150 | old 280
300 | old 12 | old 30 | has
60 | old 50 | old 50 | old 50
60 | old 3 | old 9 | old 20
5 | old 2 | old 2 | old 2
30 | has | old 25 | old 14
900 | old 700 | old 800 | has
3600 | old 3000 | old 3500 | old 10
3600 | old 3000 | has | has
10800 | old 10000 | old 9000 | old 4000
10800 | has | old 100 | old 10000
300 | lags 30 | has | has
300 | lags 59 | lags 59 | lags 59
300 | has | lags 30 | has
300 | has | lags 45 | lags 45
300 | never | has | has
300 | refuses | has | has
5 | lags 20 | has | has
5 | has | lags 40 | has
300 | old 250 | lags 40 | has
300 | old 100 | old 200 | lags 50
300 | lags 30 | old 290 | has
300 | lags 90 | lags 90 | has
10800 | old 30 caps 60 | old 45 caps 60 | has
10800 | old 850 caps 900 | old 10000 | old 3000 caps 3600
10800 | lags 20 caps 60 | has | has
3600 | old 800 caps 900 | old 3500 | refuses
300 | stale | has | has
300 | has | stale | old 250
300 | refuses | old 180 | has
300 | servfail | has | old 100
300 | old 40/200 | has | has
300 | old 250/280 | old 100 | has
300 | value 20 | has | has
300 | value 100 | old 90 | has
`;
/** Denials that cannot be compared: validated ones, ones with another SOA than the random name's, or beside a wildcard. */
const UNCOMPARED = ["signed", "edited", "wild"].map((why) => `300 | old 290 ${why} | has | has`);
const ENDLESS = `
300 | never | never | has
300 | never | never | never
5 | never | never | has
10800 | never caps 60 | never caps 60 | has
300 | old 20 never | old 100 never | has
10800 | never | has | never
300 | filters | filters | has
300 | never
300 | view | view | has
`;
const rowsOf = (table: string) => table.trim().split("\n");

type Told = { at: number; seconds: number; unasked?: number };
let nets = 1_300;

const left = (until: number, now: number) => Math.floor((until - now) / SECOND);

/** A resolver in virtual time; `zero`: the time of the first read. */
function resolver(spec: string, ttl: number, name: string, zero: number, now: () => number) {
  const number = (word: string) => Number(new RegExp(`${word} (\\d+)`).exec(spec)?.[1] ?? 0);
  const cap = number("caps") || 86_400;
  const held = /(old|value) ([\d/]+)/.exec(spec);
  const lives = (held?.[2] ?? "0").split("/").map(Number);
  const ends = lives.map((life) => zero + life * SECOND);
  const fails = ["refuses", "servfail"].includes(spec);
  const never: number | null = null as number | null;
  /** `lacked`: when it last gave an answer that may be new in its cache. */
  const state = {
    ...{ ends, fails, asked: never, planted: never, lacked: never },
    ...{ turn: 0, denials: 0, siblings: 0 },
  };
  let isStale = spec.includes("stale");
  const lagsUntil = zero + (spec.includes("never") ? 1e12 : number("lags") * SECOND);
  const denial = (seconds: number, isEdited = false): LabAnswer => ({
    ...empty(3, false),
    authorities: [soaOf(isEdited ? 2 * ttl : ttl, Math.min(seconds, cap))],
  });
  const behaviour: LabBehaviour = (query, server) => {
    if (query.type !== "TXT") return resolving(query, server);
    if (spec === "refuses") return rcode(5)(query, server);
    if (spec === "servfail") return rcode(2)(query, server);
    state[query.name === name ? "denials" : "siblings"] += 1;
    const flags = spec.includes("signed") ? AUTHENTIC : 0;
    if (query.name !== name && spec.includes("wild"))
      return [encodeAnswer(query, saying(query.name, "wild", ttl))];
    if (query.name !== name)
      return [encodeAnswer(query, denial(ttl, spec.includes("edited")), flags)];
    if (spec === "filters") return rcode(3)(query, server);
    if (spec === "view") return [encodeAnswer(query, saying(name, "view", 30))];
    state.asked ??= now();
    if (isStale) {
      isStale = false;
      const ede = opt(15, Buffer.from([0, 19]));
      return [encodeAnswer(query, { ...denial(30), additionals: [ede] })];
    }
    const cache = state.turn++ % ends.length;
    const until = ends[cache] ?? 0;
    if (now() < until && held?.[1] === "value" && state.planted === null) {
      state.lacked = now();
      return [encodeAnswer(query, saying(name, "old", left(until, now())))];
    }
    if (now() < until) return [encodeAnswer(query, denial(left(until, now())), flags)];
    if (now() >= lagsUntil) {
      state.denials -= 1;
      return resolving(query, server);
    }
    state.planted = state.lacked = now();
    ends[cache] = now() + Math.min(ttl, cap) * SECOND;
    return [encodeAnswer(query, denial(ttl))];
  };
  return { behaviour, state };
}

const AUTHENTIC = 0x20;

const saying = (name: string, data: string, ttl: number): LabAnswer => ({
  ...empty(0, false),
  answers: [toAnswer({ name, type: "TXT", data, ttl })],
});

const soaOf = (minimum: number, ttl: number) => {
  const soa = toAnswer({ name: "acme.com", type: "SOA", data: "7", ttl });
  return { ...soa, data: { ...(soa as { data: object }).data, minimum } } as typeof soa;
};

/** A claim in virtual time, until it is proved or a read says what is wrong. */
async function live(row: string) {
  const { service, claim, shown, ctx } = await claimed();
  ctx.random = () => 0.5;
  const [ttl = 0, ...specs] = row.split(" | ").map((one, at) => (at === 0 ? Number(one) : one));
  const zero = service.now + FIRST_READ_AFTER_MS;
  const since = () => (service.now - zero) / SECOND;
  const name = claim.records[0]?.name ?? "";
  const resolvers = specs.map((spec) =>
    resolver(`${spec}`, Number(ttl), name, zero, () => service.now),
  );
  const withTtl = altered((answer) => {
    const change = (list: LabAnswer["answers"]) =>
      list.map((one) => (one.type === "SOA" ? soaOf(Number(ttl), Number(ttl)) : one));
    return { ...answer, answers: change(answer.answers), authorities: change(answer.authorities) };
  });
  const setup: WorldSetup = {
    ...{ domain: "acme.com", tldName: "com" },
    records: [{ name, type: "TXT", data: claim.token }],
    servers: { 3: { behaviour: withTtl }, 4: { behaviour: withTtl } },
    witnesses: resolvers.map(({ behaviour }) => ({ behaviour })),
    get now() {
      return service.now;
    },
  };
  const world = new World(setup, netOf(nets++), 30_000 + (process.pid % 10_000));
  await world.open();
  // A read takes real time, but the virtual clock stands still.
  service.see = async (question, _, signal) => ({
    ...(await world.reader.readChallenge(question, signal)),
    durationMs: 0,
  });
  const told: Told[] = [];
  try {
    for (;;) {
      service.now = service.ctx.db.select().from(verifications).get()?.nextRunAt ?? service.now;
      await readDue(service);
      const { waitEstimate: wait, ...read } = await shown();
      if (!wait) return { told, ended: since(), resolvers, zero, ...read };
      const { secondsRemaining: seconds, unasked } = wait;
      told.push({ at: since(), seconds, ...(unasked && { unasked }) });
      if (told.length > 20) throw new Error(`told again and again: ${row}`);
    }
  } finally {
    world.close();
  }
}
type Life = Awaited<ReturnType<typeof live>>;

/** When a majority can return the token: a minute after one met an instance that lags, and once their caches expire. */
function possible({ resolvers, zero }: Life): number {
  const lacked = resolvers.flatMap(({ state }) => state.lacked ?? []);
  const free = resolvers.map(({ state: { fails, asked, planted, ends } }) => {
    const before = lacked.filter((at) => at < (asked ?? Number.POSITIVE_INFINITY));
    const turn = Math.max(...before, planted ?? 0) + MINUTE;
    const own = Math.min(...ends);
    const isHeld = before.length > 0 || planted !== null;
    return fails ? Number.POSITIVE_INFINITY : Math.max(zero, own, isHeld ? turn : zero);
  });
  const sorted = free.sort((one, other) => one - other);
  return ((sorted[Math.floor(sorted.length / 2)] ?? zero) - zero) / SECOND;
}

/** The proof came at the announced time; or, if only the next question was announced, that question did. */
function isRight({ told, ended }: Life, { at, seconds, unasked }: Told): boolean {
  const next = told.find((one) => one.at > at)?.at ?? ended;
  const off = Math.abs((unasked ? next : ended) - at - seconds);
  return off <= Math.max(10, 0.15 * seconds);
}

const { round } = Math;
const lines: string[] = [];
const sayOne = ({ at, seconds, unasked }: Told) =>
  `at ${round(at)}: ${unasked ? `${unasked} asked in ` : ""}${seconds} s`;
const saidBy = ({ told }: Life) => told.map(sayOne).join(", ") || "nothing";

describe("C6.17, C8.6, C9.3: a wait for resolvers", { shuffle: false }, () => {
  test.each(rowsOf(CASES))("is over when it was told: %s", async (row) => {
    const life = await live(row);
    expect(life.status).toBe("proved");
    const least = possible(life);
    const ended = `proved at ${round(life.ended)}, possible at ${round(least)}`;
    lines.push(`${row} | told ${saidBy(life)} | ${ended}`);
    expect(life.told.filter((one) => !isRight(life, one))).toEqual([]);
    expect(life.ended - least).toBeLessThanOrEqual(10);
    // A random name is only asked about beside a denial.
    for (const { state } of life.resolvers)
      expect(state.siblings).toBeLessThanOrEqual(state.denials);
  });

  test.each(UNCOMPARED)("is a minute for a denial that may be new: %s", async (row) => {
    const { told, ended } = await live(row);
    expect([told, round(ended)]).toEqual([[{ at: 0, seconds: 60, unasked: 2 }], 62]);
  });

  test.each(rowsOf(ENDLESS))("does not last forever: %s", async (row) => {
    const life = await live(row);
    expect(life.diagnosis).toMatchObject({ code: "not_published", awaits: "claimant" });
    lines.push(`${row} | told ${saidBy(life)} | given up at ${round(life.ended)}`);
    // Waits for resolvers that were not asked yet are not counted.
    expect(life.told.filter(({ unasked }) => !unasked).length).toBeLessThanOrEqual(3);
  });

  test("is as listed", () => expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("waits.test.txt"));
});
