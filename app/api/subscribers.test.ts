import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { commit } from "#app/core/commit.server.ts";
import { writeFeedEvent } from "#app/core/feed/feed.server.ts";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import { DAY, HOUR } from "#app/core/time.ts";
import { type TestApp, testApp } from "#app/features/sign-in/testing.ts";
import type { EventStreams } from "#app/http/app.server.ts";
import { SESSION_LIFETIME_MS } from "#app/http/caller/session.server.ts";
import { changeFeed, sessions } from "#db/schema.ts";
import { trimEverything } from "#worker/housekeeping.server.ts";
import { Subscribers } from "./subscribers.server.ts";
import { signedIn } from "./testing.ts";

let app: TestApp;
/** An account with two sessions, with ids s1 and s2. */
let id: string;
beforeEach(async () => {
  app = testApp();
  ({ id } = await accountForEmail(app, "mara@acme.com"));
  for (const name of ["s1", "s2"]) {
    await signedIn(app);
    app.db.update(sessions).set({ id: name }).where(eq(sessions.userAgent, "")).run();
    app.db.update(sessions).set({ userAgent: name }).where(eq(sessions.id, name)).run();
  }
});

/** Writes changes to the account's feed, and waits until its subscribers are notified of the last. */
async function change(...domainIds: string[]) {
  const isNotified = new Promise<void>((resolve) => {
    const leave = app.feed.subscribe({
      follows: (accountId) => accountId === id,
      onMessages(moved) {
        if (moved.get(id)?.at(-1)?.ids.domainId !== domainIds.at(-1)) return;
        leave();
        resolve();
      },
    });
  });
  for (const domainId of domainIds)
    await commit(app, (tx) => writeFeedEvent(tx, id, "domain.created", { domainId }, app.clock()));
  await isNotified;
}

/** Opens a stream of the account. Records what is sent: domains and resets, event ids, and chunks with data. */
function tab(credential: string, lastEventId: string | null = null, streams = app.streams) {
  const seen: string[] = [];
  const chunks: unknown[] = [];
  const ids: string[] = [];
  const sink = {
    isClosed: false,
    send(text: string | Uint8Array) {
      const sent = Buffer.from(text).toString();
      ids.push(...Array.from(sent.matchAll(/^id: (.*)$/gm), ([, id = ""]) => id));
      if (!sent.includes("data:")) return;
      chunks.push(text);
      seen.push(...(sent.match(/dom_\d+|(?<=^event: )reset$/gm) ?? [""]));
    },
    close() {
      if (sink.isClosed) return;
      sink.isClosed = true;
      flow?.onEnd();
    },
  };
  let flow: ReturnType<EventStreams["subscribe"]> | null = null;
  flow = streams.subscribe(id, { sink, credential, lastEventId });
  onTestFinished(() => sink.close());
  return { seen, ids, chunks, sink, ...{ beat: () => flow?.onBeat(), room: () => flow?.onRoom() } };
}

it("sends each message once to every stream of the account, in the same bytes", async () => {
  const [one, two] = [tab("s1"), tab("s2")];
  await change("dom_1", "dom_2");
  one.beat();
  for (const { seen } of [one, two]) expect(seen).toEqual(["dom_1", "dom_2"]);
  expect(two.chunks[0]).toBe(one.chunks[0]);
});

it("sends a reconnecting stream what it missed, as it takes it, and the others nothing twice", async () => {
  const stayed = tab("s1");
  const ids = Array.from({ length: 251 }, (_, i) => `dom_${i + 1}`);
  await change(...ids.slice(0, 250));
  const back = tab("s1", stayed.ids[40]);
  await change("dom_251");
  expect(stayed.seen).toEqual(ids);
  expect(back.seen).toEqual(ids.slice(40, 140));
  for (let i = 0; i < 3; i++) back.room();
  expect(back.seen).toEqual(ids.slice(40));
  expect(back.ids).toEqual(stayed.ids.slice(41));
});

describe("C14.4, C14.9, C14.10: resuming", () => {
  it("begins with the id of what was sent last, or with one for an empty feed", async () => {
    const early = tab("s1");
    await change("dom_1");
    const late = tab("s1");
    expect([early.ids.length, late.ids, late.seen]).toEqual([2, early.ids.slice(1), []]);
    app.pass(DAY - 1);
    expect(tab("s1", early.ids[0]).seen).toEqual(["dom_1"]);
    expect(tab("s1", early.ids[1]).seen).toEqual([]);
    app.pass(1);
    const [id = ""] = late.ids;
    const forged = id.replace(/^./, id.startsWith("A") ? "B" : "A");
    for (const odd of [early.ids[0], forged, "9".repeat(15), "%00", "x".repeat(500)])
      expect(tab("s1", odd).seen).toEqual(["reset"]);
    for (const one of [...early.ids, ...late.ids]) expect(one).toMatch(/^[\w-]{22}$/);
  });

  it("says so if some of what was missed has been trimmed, once", async () => {
    const stayed = tab("s1");
    await change("dom_1");
    app.pass(23 * HOUR);
    await change("dom_2");
    app.pass(HOUR);
    await trimEverything(app, app.closing);
    const [, trimmed, kept] = stayed.ids;
    expect(tab("s1", kept).seen).toEqual([]);
    const back = tab("s1", trimmed);
    expect([back.seen, back.ids]).toEqual([["reset"], [kept]]);
    await change("dom_3");
    expect(back.seen).toEqual(["reset", "dom_3"]);
    expect(tab("s1", back.ids[0]).seen).toEqual(["dom_3"]);
  });

  it("says so after the database was restored and has gone on", async () => {
    const stayed = tab("s1");
    await change("dom_1", "dom_2");
    const [, kept, lost] = stayed.ids;
    app.db.delete(changeFeed).where(eq(changeFeed.id, 2)).run();
    expect(tab("s1", lost).seen).toEqual(["reset"]);
    app.pass(1);
    const ids = { domainId: "dom_3" };
    const row = { id: 2, accountId: id, type: "domain.created" as const, at: app.clock(), ids };
    app.db.insert(changeFeed).values(row).run();
    expect(tab("s1", lost).seen).toEqual(["reset"]);
    expect(tab("s1", kept).seen).toEqual(["dom_3"]);
  });

  it("goes on in another process, and says so under another secret", async () => {
    await change("dom_1");
    const [last] = tab("s1").ids;
    await change("dom_2");
    const under = (secrets: [string, ...string[]]) => {
      const streams: EventStreams = new Subscribers(app, secrets, app.closing);
      return tab("s1", last, streams).seen;
    };
    expect(under([...app.secrets])).toEqual(["dom_2"]);
    expect(under(["another secret of thirty-two characters", ...app.secrets])).toEqual(["reset"]);
  });
});

it("C14.5: closes only the streams of the session that ended", async () => {
  const [gone, stays] = [tab("s1"), tab("s2")];
  const counts = () => [app.streams.countOf(id), app.streams.count];
  expect(counts()).toEqual([2, 2]);
  app.db.delete(sessions).where(eq(sessions.id, "s1")).run();
  await change("dom_1");
  expect(gone.sink.isClosed).toBe(true);
  expect(gone.seen).toEqual([]);
  expect(stays.seen).toEqual(["dom_1"]);
  expect(counts()).toEqual([1, 1]);
  app.pass(SESSION_LIFETIME_MS);
  stays.beat();
  expect(stays.sink.isClosed).toBe(true);
  expect(counts()).toEqual([0, 0]);
});

it("closes the account's streams and logs the error if its feed cannot be read", async () => {
  const one = tab("s1");
  app.db.$client.exec("drop table change_feed");
  one.beat();
  expect(one.sink.isClosed).toBe(true);
  expect(app.logged.join()).toContain("the event streams of an account failed");
});
