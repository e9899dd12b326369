import { setMaxListeners } from "node:events";
import type {
  ChallengeQuestion,
  Glance,
  GlanceQuestion,
  ZoneReading,
} from "@deed/dns/resolve/reader.ts";
import { absentAt, foundAt } from "@deed/dns/testing/readings.ts";
import type { Observation } from "@deed/dns/verdict/observation.ts";
import { DeedError } from "#app/core/errors.server.ts";
import type { Outbound } from "#app/core/outbound/outbound.server.ts";
import { createContext } from "#app/create-context.server.ts";
import { MAX_READS } from "#app/features/claims/active-runs.ts";
import { openClaim, readClaim } from "#app/features/claims/claims.server.ts";
import { type LeasedRun, rowsOfVerification } from "#app/features/claims/outcome.server.ts";
import { leaseVerifications, startDueReads } from "#app/features/claims/runs.server.ts";
import { FIRST_READ_AFTER_MS } from "#app/features/claims/transition.ts";
import {
  listAttempts,
  readVerification,
  runVerification,
} from "#app/features/claims/verifications.server.ts";
import { addDomain } from "#app/features/domains/domains.server.ts";
import { publishProof } from "#app/features/proofs/proofs.server.ts";
import { signerOf } from "#app/features/receipts/signer.server.ts";
import type { Db, Replication } from "#db/client.ts";
import { verifications } from "#db/schema.ts";
import { testDatabase } from "#db/testing.ts";
import type { Context, Mail } from "../context.server.ts";
import { accountForEmail } from "./accounts.ts";

/** A signal that is never aborted. */
export const { signal: stay } = new AbortController();
setMaxListeners(0, stay);
/** A Saturday noon, UTC. */
export const NOON = Date.UTC(2026, 0, 3, 12);

type SeenObservation = Observation | Promise<Observation>;

export type TestService = {
  ctx: Context;
  /** The clock of every service; tests set it. */
  now: number;
  /** The reader answers with this from now on; by default, it finds no record. */
  see: (question: ChallengeQuestion, at: number, signal: AbortSignal) => SeenObservation;
  seeZone: (name: string, signal: AbortSignal) => Promise<ZoneReading>;
  /** A nameserver answers glances with this from now on; at first, it does not answer. */
  glance: (question: GlanceQuestion) => Promise<Glance>;
  asked: ChallengeQuestion[];
  mails: Mail[];
  /** The answer of webhooks' receivers from now on; at first 204. */
  answer: Outbound["call"];
  /** The timekeeper's reason to wait; null while the time is known. */
  reasonToWait: string | null;
  /** Warnings and errors logged. */
  complaints: string[];
};

const unavailableError = () => new DeedError("unavailable");
export const READ_ONLY: Replication = {
  isWritable: () => false,
  waitUntilWritable: () => Promise.reject(unavailableError()),
  position: () => 1n,
  confirmCommit: () => {},
  readOnlyError: unavailableError,
  outcomeUnknownError: unavailableError,
};

type ContextParts = Parameters<typeof createContext>[0];
type NeededPart = "db" | "clock" | "mailer" | "outbound" | "log";

const SETTINGS = {
  version: "0.0.0",
  commit: "unknown",
  baseUrl: "http://deed.test",
  docsUrl: "http://deed.test/docs",
  challengeLabel: "_service-challenge",
  tokenPrefix: "service_v1_",
  trustAnchors: [],
  witnesses: ["one", "two", "three"],
  firstReadAfterMs: FIRST_READ_AFTER_MS,
  openClaims: 200,
  domains: 100_000,
  committedAt: null,
  signUp: "open" as const,
  admins: [],
  backHosts: [],
};

/** A context without DNS, with every jitter at half of its range, and other settings than the tests' if given. */
export const testContext = (
  given: Pick<ContextParts, NeededPart> & Partial<ContextParts>,
  settings: Partial<ContextParts["settings"]> = {},
): Context =>
  createContext({
    timekeeper: { resume: () => {}, reasonToWait: () => null },
    random: () => 0.5,
    settings: { ...SETTINGS, ...settings },
    reader: {
      readChallenge: () => Promise.reject(new Error("no DNS here")),
      readZone: () => Promise.reject(new Error("no DNS here")),
      glance: () => Promise.reject(new Error("no DNS here")),
      mayGlance: () => false,
      hasRoom: () => true,
      close: () => {},
    },
    signer: signerOf("5".repeat(64)),
    registry: null,
    stamper: null,
    ...given,
  });

/** The services on a fresh database, with a clock, reader and mailer controlled by tests. */
export function testService(db: Db = testDatabase()): TestService {
  const complain = (_: object, message: string) => void service.complaints.push(message);
  const quiet = () => {};
  const ctx = testContext({
    db,
    clock: () => service.now,
    timekeeper: { resume: quiet, reasonToWait: () => service.reasonToWait },
    reader: {
      readChallenge: async (question, signal) => {
        service.asked.push(question);
        return service.see(question, service.now, signal);
      },
      readZone: (name, signal) => service.seeZone(name, signal),
      glance: (question) => service.glance(question),
      mayGlance: () => true,
      hasRoom: () => true,
      close: quiet,
    },
    mailer: { send: async (mail) => void service.mails.push(mail) },
    outbound: { problem: () => null, call: (request, signal) => service.answer(request, signal) },
    log: { debug: quiet, info: quiet, warn: complain, error: complain },
  });
  const service: TestService = {
    ctx,
    now: NOON,
    see: absentAt,
    glance: async () => ({ type: "silent" }),
    seeZone: async () => ({ type: "no_delegation" }),
    asked: [],
    mails: [],
    answer: async () => ({ status: 204, headers: {}, body: Buffer.alloc(0) }),
    reasonToWait: null,
    complaints: [],
  };
  return service;
}

/** An account with a domain and an open claim, and functions to force a read, `after` this time and of `see` from now on, and to see what is shown. */
export async function claimed(
  service = testService(),
  email = "maria@example.org",
  name = "acme.com",
) {
  const { ctx } = service;
  const account = await accountForEmail(ctx, email);
  const { domain } = await addDomain(ctx, account.id, name);
  const claim = await openClaim(ctx, account.id, domain.id);
  const ids = [ctx, account.id, claim.verificationId] as const;
  return {
    ...{ service, ctx, account, claim },
    run(see = service.see, after = 0) {
      service.now += after;
      service.see = see;
      return runVerification(...ids, stay);
    },
    shown: () => readVerification(...ids),
    attempts: () => listAttempts(...ids),
    read: () => readClaim(ctx, account.id, claim.id),
  };
}

export async function readDue({ ctx }: Pick<TestService, "ctx">): Promise<void> {
  await startDueReads(ctx, MAX_READS);
  await ctx.runs.drain(60_000);
}

/** Makes the only claim's reads when they are due, until nothing is due before `until`. */
export async function liveUntil(service: TestService, until: number): Promise<void> {
  const next = () => service.ctx.db.select().from(verifications).get()?.nextRunAt;
  for (let at = next(); at && at < until; at = next()) {
    service.now = Math.max(service.now, at);
    await readDue(service);
  }
}

/** Creates an account with a domain and a proved claim on it. */
export async function proved(
  service = testService(),
  email?: string,
  name?: string,
  see = foundAt,
) {
  const mine = await claimed(service, email, name);
  await mine.run(see);
  return mine;
}

/** Creates an account with a proved claim and the link to its proof. */
export async function published(service = testService(), email?: string, name?: string) {
  const mine = await proved(service, email, name);
  return { ...mine, link: await publishProof(service.ctx, mine.account.id, mine.claim.id) };
}

export async function leased({ ctx }: Pick<TestService, "ctx">, id: string): Promise<LeasedRun> {
  const rows = rowsOfVerification(ctx.db).get({ id });
  const [lease] = rows ? await leaseVerifications(ctx, [rows]) : [];
  if (!lease) throw new Error("the verification is not free");
  return { ...lease, requested: false };
}
