import { existsSync, statSync } from "node:fs";
import { setImmediate as loopTurn } from "node:timers/promises";
import {
  isTestName,
  type KnownClaim,
  plantedReader,
  plantedRegistration,
} from "@deed/playground/planted.ts";
import { eq } from "drizzle-orm";
import { Subscribers } from "#app/api/subscribers.server.ts";
import { newestTime } from "#app/core/clock/heartbeat.server.ts";
import type { TestMail } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import type { Outbound } from "#app/core/outbound/outbound.server.ts";
import { iso } from "#app/core/time.ts";
import { signerOf } from "#app/features/receipts/signer.server.ts";
import { fixedList } from "#app/features/zones/registry/registries.server.ts";
import type { App } from "#app/http/app.server.ts";
import { keyedHash } from "#app/http/caller/cookies.server.ts";
import { Limiter } from "#app/http/limits.server.ts";
import { type Replication, removeDatabase, write } from "#db/client.ts";
import { openOwnDatabase, openReplicated } from "#db/open-own.ts";
import { accounts, people } from "#db/schema.ts";
import { testFile, worldOf } from "#db/test-file.ts";
import { testWork } from "#worker/test-work.ts";
import { createContext } from "./create-context.server.ts";

/** The most worlds open at once; to open another, the one used longest ago is closed once its calls have ended. */
const MAX_OPEN = 100;
const CLOSING_MS = 60_000;
/** The largest world, in bytes; a larger one starts again empty. */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_MAILS = 50;

type Node = Replication & { on(event: "role", listener: () => void): unknown };

const noop = () => {};

export function createTestWorlds(realOf: () => App, node: Node | null = null): App["testWorlds"] {
  const openWorlds = new Map<string, Promise<App>>();
  // All worlds share one slice of work in each turn of the event loop.
  let lastTurn = Promise.resolve();
  const nextTurn = () => {
    lastTurn = lastTurn.then(() => loopTurn());
    return lastTurn;
  };
  const pathOf = (id: string) => testFile(realOf().env.DATABASE_PATH, id);
  const close = (id: string) => {
    const closeLater = ({ db }: App) => setTimeout(() => db.$client.close(), CLOSING_MS).unref();
    openWorlds.get(id)?.then(closeLater, noop);
    openWorlds.delete(id);
  };
  // After a change of role, another node may write to the worlds.
  node?.on("role", () => [...openWorlds.keys()].forEach(close));

  async function openWorld(id: string, accountId: string | null): Promise<App> {
    const path = pathOf(id);
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (accountId !== null && size > MAX_BYTES) removeDatabase(path);
    // A world is not in place once this process or another has erased it, with its account for example.
    if ((await openWorlds.get(id))?.db.$isInPlace?.() === false) close(id);
    const world = openWorlds.get(id) ?? createWorld(realOf(), id, path, accountId, node, nextTurn);
    openWorlds.delete(id);
    openWorlds.set(id, world);
    world.catch(() => openWorlds.delete(id));
    if (openWorlds.size > MAX_OPEN) close([...openWorlds.keys()][0] ?? id);
    return world;
  }

  return {
    forKey: (accountId, keyId) => openWorld(worldOf(keyId), accountId),
    async bySlug(slug = "") {
      const [, id] = /^test_([0-9a-f]{24})_/.exec(slug) ?? [];
      return id && existsSync(pathOf(id)) ? openWorld(id, null) : null;
    },
  };
}

/** `accountId` is null if the world already exists. */
async function createWorld(
  real: App,
  id: string,
  path: string,
  accountId: string | null,
  node: Node | null,
  turn: () => Promise<void>,
): Promise<App> {
  const owner =
    accountId && real.db.select().from(accounts).where(eq(accounts.id, accountId)).get();
  if (owner === undefined) throw new DeedError("invalid_api_key");
  const db = await (node ? openReplicated(path, node, noop) : openOwnDatabase(path, noop));
  if (!node) db.$client.pragma("synchronous = NORMAL");
  if (owner) await write(db, (tx) => tx.insert(accounts).values(owner).onConflictDoNothing().run());
  const person = db.select({ personId: people.id, email: people.email }).from(people).get();
  if (!person) throw new DeedError("invalid_api_key");

  let now = newestTime(db) ?? real.clock();
  const clock = () => now;
  const mails: TestMail[] = [];
  const claimsOf = db.$client.prepare<[string], KnownClaim>(
    `select token, created_at as openedAt, ended_at as endedAt from claims where name = ?
     order by created_at desc, id desc limit 200`,
  );
  // The parts are named one by one, so that no new part of the service gets into a test world by accident.
  const { random, settings, outbound, log, env, secrets, closing } = real;
  const { testWorlds, oidcClient, isWorkerRunning, mailHealth } = real;
  const rdap: Outbound = {
    problem: () => null,
    async call({ url }) {
      const name = url.slice(url.lastIndexOf("/") + 1);
      const registration = plantedRegistration(name, now, claimsOf.all(name));
      const headers = { "content-type": "application/rdap+json" };
      return { status: 200, headers, body: Buffer.from(JSON.stringify(registration)) };
    },
  };
  const reset = () => removeDatabase(path);
  const seed = Buffer.from(keyedHash(secrets, `test signer ${id}`), "base64url");
  const context = createContext({
    ...{ db, clock, random, settings, outbound, log },
    timekeeper: { resume: noop, reasonToWait: () => null },
    reader: plantedReader(clock, (name) => claimsOf.all(name)),
    registry: { list: fixedList(new Map([["test", "https://registry.test/"]])), outbound: rdap },
    stamper: null,
    mailer: {
      async send({ to, subject, text }) {
        mails.unshift({ to, subject, text, at: iso(now) });
        mails.splice(MAX_MAILS);
      },
    },
    signer: signerOf(seed.toString("hex")),
    test: {
      ...{ real, person, mails, slugStart: `test_${id}_`, isName: isTestName },
      advance: (byMs) => advance(byMs),
      reset,
    },
  });
  const advance = testWork(context, closing, turn, (at) => {
    now = at;
  });
  return {
    ...{ ...context, env, secrets, closing, testWorlds, oidcClient, isWorkerRunning, mailHealth },
    limiter: new Limiter(env),
    streams: new Subscribers(context, secrets, closing),
  };
}
