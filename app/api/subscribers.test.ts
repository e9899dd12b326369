import { eq } from "drizzle-orm";
import { expect, it, onTestFinished } from "vitest";
import { SESSION_LIFETIME_MS } from "#app/auth/session.server.ts";
import { type TestApp, testApp } from "#app/auth/testing.ts";
import type { EventStreams } from "#app/http/app.server.ts";
import { accountForEmail, deleteAccount } from "#app/services/accounts/accounts.server.ts";
import { commit } from "#app/services/commit.server.ts";
import { feedPosition, writeFeedEvent } from "#app/services/feed/feed.server.ts";
import { sessions } from "#db/schema.ts";
import { signedIn } from "./testing.ts";

/** An account with two sessions, with ids s1 and s2. */
async function holder(app: TestApp) {
  const { id } = await accountForEmail(app, "mara@acme.com");
  for (const name of ["s1", "s2"]) {
    await signedIn(app);
    app.db.update(sessions).set({ id: name }).where(eq(sessions.userAgent, "")).run();
    app.db.update(sessions).set({ userAgent: name }).where(eq(sessions.id, name)).run();
  }
  return id;
}

/** Writes one change to the account's feed and notifies its subscribers. */
const change = (app: TestApp, accountId: string, domainId: string) =>
  commit(app, (tx) => writeFeedEvent(tx, accountId, "domain.created", { domainId }, app.clock()));

const turn = () => new Promise((resolve) => setTimeout(resolve, 20));

/** Opens a stream of the account from `position`. Records the ids sent and the bytes. */
function tab(app: TestApp, accountId: string, credential: string, position = feedPosition(app)) {
  const seen: string[] = [];
  const chunks: unknown[] = [];
  const sink = {
    isClosed: false,
    send(text: string | Uint8Array) {
      chunks.push(text);
      seen.push(
        ...(Buffer.from(text)
          .toString()
          .match(/dom_\d+/g) ?? [""]),
      );
    },
    close() {
      if (sink.isClosed) return;
      sink.isClosed = true;
      flow?.onEnd();
    },
  };
  let flow: ReturnType<EventStreams["subscribe"]> | null = null;
  flow = app.streams.subscribe(accountId, { sink, credential, position });
  onTestFinished(() => sink.close());
  return { seen, chunks, sink, beat: () => flow?.onBeat() };
}

it("sends each message once to every stream of the account, in the same bytes", async () => {
  const app = testApp();
  const id = await holder(app);
  const [one, two] = [tab(app, id, "s1"), tab(app, id, "s2")];
  await change(app, id, "dom_1");
  await change(app, id, "dom_2");
  await turn();
  one.beat();
  expect(one.seen).toEqual(["dom_1", "dom_2"]);
  expect(two.seen).toEqual(["dom_1", "dom_2"]);
  expect(two.chunks[0]).toBe(one.chunks[0]);
});

it("sends a reconnecting stream what it missed, and the others nothing twice", async () => {
  const app = testApp();
  const id = await holder(app);
  const stayed = tab(app, id, "s1");
  for (let i = 1; i <= 250; i++) await change(app, id, `dom_${i}`);
  await turn();
  const back = tab(app, id, "s1", 40);
  await change(app, id, "dom_251");
  await turn();
  const ids = Array.from({ length: 251 }, (_, i) => `dom_${i + 1}`);
  expect(stayed.seen).toEqual(ids);
  expect(back.seen).toEqual(ids.slice(40));
});

it("closes only the streams of the session that ended", async () => {
  const app = testApp();
  const id = await holder(app);
  const [gone, stays] = [tab(app, id, "s1"), tab(app, id, "s2")];
  app.db.delete(sessions).where(eq(sessions.id, "s1")).run();
  await change(app, id, "dom_1");
  await turn();
  expect(gone.sink.isClosed).toBe(true);
  expect(gone.seen).toEqual([]);
  expect(stays.seen).toEqual(["dom_1"]);
  app.pass(SESSION_LIFETIME_MS);
  stays.beat();
  expect(stays.sink.isClosed).toBe(true);
});

it("counts the open streams", async () => {
  const app = testApp();
  const id = await holder(app);
  const [one, two] = [tab(app, id, "s1"), tab(app, id, "s1")];
  expect([app.streams.countOf(id), app.streams.count]).toEqual([2, 2]);
  one.sink.close();
  expect(app.streams.countOf(id)).toBe(1);
  two.sink.close();
  expect([app.streams.countOf(id), app.streams.count]).toEqual([0, 0]);
});

it("closes the account's streams and logs the error if its feed cannot be read", async () => {
  const app = testApp();
  const id = await holder(app);
  const one = tab(app, id, "s1");
  app.db.$client.exec("drop table change_feed");
  one.beat();
  expect(one.sink.isClosed).toBe(true);
  expect(app.logged.join()).toContain("the event streams of an account failed");
});

it("closes every stream of an account when it is erased, and no other", async () => {
  const app = testApp();
  const id = await holder(app);
  const neighbour = await accountForEmail(app, "eve@example.org");
  await signedIn(app, "eve@example.org");
  app.db.update(sessions).set({ id: "s3" }).where(eq(sessions.personId, neighbour.person.id)).run();
  const [one, two, theirs] = [tab(app, id, "s1"), tab(app, id, "s2"), tab(app, neighbour.id, "s3")];
  await deleteAccount(app, id);
  expect([one.sink.isClosed, two.sink.isClosed, theirs.sink.isClosed]).toEqual([true, true, false]);
  expect([app.streams.countOf(id), app.streams.count]).toEqual([0, 1]);
});
