import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, describe, expect, it } from "vitest";
import { startProvider } from "#app/features/sign-in/testing.oidc.ts";
import { Client, keyOf, mailedCode, mailTo, roomy, signIn } from "../support/deed.ts";
import { freePort, startService } from "../support/service.ts";

const port = await freePort();
const provider = await startProvider(`http://localhost:${port}/api/auth/oidc/callback`);
const env = { ...roomy(), ...provider.env, OIDC_LABEL: "Example login" };
const service = await startService({ port, env });
afterAll(async () => {
  await service.stop();
  await provider.stop();
});

const stranger = () => new Client(service.url);
it("an API key is rotated once by two clicks, so that the one in use goes on working", async () => {
  const holder = await signIn(service, "rotating@example.org");
  const { id, key } = await keyOf(holder, ["domains:read"]);
  const click = () => holder.submit(`/account/keys/${id}`, { intent: "rotate", rotatedAt: "" });
  const [first, second] = [await click(), await click()];
  expect([first.status, second.status]).toEqual([200, 409]);
  expect(first.text).toMatch(new RegExp(`deed_${id}_[0-9a-z]{39}`));
  expect(second.text).toContain("nothing was changed");
  expect((await new Client(service.url, key).get("/api/domains")).status).toBe(200);
});

describe("the pages, without a script", () => {
  // C12.3
  it("ask the person who opens a mailed link to confirm, and lead where it was asked from", async () => {
    const [client, email] = [stranger(), "linked@example.org"];
    const { token } = await mailTo(service, client, email, "/notices");
    await client.request("HEAD", `/sign-in/confirm?token=${token}`);
    const page = await client.get(`/sign-in/confirm?token=${token}`);
    expect(page.headers.getSetCookie().join()).not.toContain("session=");
    expect(page.text).toContain(email);
    expect(page.text).toContain(`name="token" value="${token}"`);
    expect(page.headers.get("referrer-policy")).toMatch(/strict-origin$/);
    expect(page.headers.get("cache-control")).toContain("no-store");
    const done = await client.submit("/sign-in/confirm", { token });
    expect([done.status, done.headers.get("location")]).toEqual([303, "/notices"]);
    const again = await stranger().submit("/sign-in/confirm", { token });
    expect([again.status, again.headers.getSetCookie()]).toEqual([401, []]);
    expect((await stranger().get(`/sign-in/confirm?token=${token}`)).status).toBe(401);
  });

  it("sign in by the code of the mail, and out again", async () => {
    const client = stranger();
    const email = "pages@example.org";
    const callbackPath = "/domains?status=pending";
    const guarded = await client.get(callbackPath);
    expect(guarded.headers.get("location")).toBe("/sign-in?next=%2Fdomains%3Fstatus%3Dpending");
    const page = await client.get(guarded.headers.get("location") ?? "");
    expect(page.text).toContain(`name="callbackPath" value="${callbackPath}"`);

    const sent = await client.submit("/sign-in?index", { email, callbackPath });
    expect([sent.status, sent.headers.get("location")]).toEqual([303, "/sign-in/sent"]);
    const waiting = await client.get("/sign-in/sent");
    // Without script the page does not reload, so that a code can be typed.
    expect(waiting.headers.get("refresh")).toBe(null);
    expect(waiting.text).toContain(`value="${email}"`);
    await expect.poll(() => service.outbox().join()).toContain(email);
    const code = mailedCode(service, email);

    const wrong = code === "000000" ? "000001" : "000000";
    const refused = await client.submit("/sign-in/sent", { email, code: wrong });
    expect(refused.status).toBe(401);
    expect(refused.text).toContain(`value="${email}"`);
    expect(refused.text).toContain('aria-invalid="true"');
    const done = await client.submit("/sign-in/sent", { email, code });
    expect([done.status, done.headers.get("location")]).toEqual([303, callbackPath]);
    const used = await client.get("/sign-in/sent");
    expect(used.text).toContain("You are signed in");

    expect((await client.get("/sign-out")).status).toBe(200);
    expect((await client.get("/api/account")).status).toBe(200);
    const out = await client.submit("/sign-out");
    expect([out.status, out.headers.get("location")]).toEqual([303, "/"]);
    expect(client.cookie).toBe("");
  });
});

it("removes the cookie and clears what pages stored, everywhere and for this browser", async () => {
  for (const intent of ["end-all", "end"]) {
    const client = await signIn(service, "leaving@example.org");
    type Sessions = { sessions: { id: string }[] };
    const { sessions } = await client.expect<Sessions>(200, "GET", "/api/account/sessions");
    const end = { intent, id: sessions[0]?.id ?? "" };
    const { headers } = await client.submit("/account?index", end);
    expect(headers.get("location")).toBe("/");
    expect(headers.get("clear-site-data")).toBe('"storage"');
    expect(headers.getSetCookie()).toEqual([expect.stringMatching(/^session=; .*Max-Age=0/)]);
    expect((await client.get("/")).text).toContain("/sign-in");
  }
});

it("a session in use has its cookie renewed once an hour, by whatever answers first, but not where it ends", async () => {
  const lieFallow = () => {
    const database = new Database(join(service.dataDir, "deed.db"));
    database.exec("update sessions set last_used_at = last_used_at - 7200000");
    database.close();
  };
  const client = await signIn(service, "renewed@example.org");
  for (const path of ["/domains", "/api/account"]) {
    lieFallow();
    // A published proof shows nothing about its reader, and reads no session.
    expect((await client.get("/p/none")).headers.getSetCookie()).toEqual([]);
    const first = await client.get(path);
    expect(first.headers.getSetCookie()).toEqual([
      `${client.cookie}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax`,
    ]);
    expect(first.headers.get("cache-control")).toContain("no-store");
    expect((await client.get(path)).headers.getSetCookie()).toEqual([]);
  }
  lieFallow();
  const out = await client.post("/api/auth/sign-out-everywhere");
  expect(out.headers.getSetCookie().at(-1)).toMatch(/^session=; Max-Age=0; Path=\//);
  expect(client.cookie).toBe("");
});

it("an identity provider that falls silent does not end the service", async () => {
  provider.person = { sub: "1", email: "idp@example.org", email_verified: true };
  provider.isSilent = true;
  const client = stranger();
  expect((await client.get("/sign-in")).text).toContain("Example login");
  const begun = await client.get("/api/auth/oidc");
  const silent = await provider.signIn(begun.headers.get("location") ?? "");
  expect((await client.get(silent.pathname + silent.search)).status).toBeGreaterThanOrEqual(400);
  expect((await client.get("/sign-in/failed")).status).toBe(401);
});
