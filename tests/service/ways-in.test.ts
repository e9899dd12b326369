import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { type Playground, startPlayground } from "@deed/playground/playground.ts";
import { txt } from "@deed/playground/records.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLIENT, startProvider, type TestProvider } from "#app/features/sign-in/testing.oidc.ts";
import { Client, mailedToken, signIn } from "../support/client.ts";
import { openClaim } from "../support/deed.ts";
import { lacks } from "../support/lacks.ts";
import { freePort, type Service, startService } from "../support/service.ts";

let playground: Playground;
let provider: TestProvider;
let service: Service;
beforeAll(async () => {
  const port = await freePort();
  playground = await startPlayground();
  provider = await startProvider(`http://localhost:${port}/api/auth/oidc/callback`);
  service = await startService({
    port,
    env: {
      ...playground.env,
      TRUSTED_PROXIES: "127.0.0.0/8,::1/128",
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_LABEL: "Example login",
    },
  });
});
afterAll(async () => {
  await service.stop();
  await Promise.all([provider.stop(), playground.stop()]);
});

const form = (fields: Record<string, string>) => ({
  body: String(new URLSearchParams(fields)),
  headers: { "content-type": "application/x-www-form-urlencoded", Origin: service.url },
});
const newestCode = (email: string) => {
  const mail = service.outbox().filter((text) => text.includes(email));
  return /^ {4}(\d{6})$/m.exec(mail.at(-1) ?? "")?.[1] ?? "";
};
const mailsTo = (email: string) => service.outbox().filter((text) => text.includes(email)).length;

/** Returns from the provider as `sub`, in a new browser. */
async function arrive(sub: string, email: string) {
  provider.person = { sub, email, email_verified: true };
  const client = new Client(service.url);
  const start = await client.get("/api/auth/oidc");
  const back = await provider.signIn(start.headers.get("location") ?? "");
  const headers = { accept: "text/html" };
  return { client, done: await client.request("GET", back.pathname + back.search, { headers }) };
}

const keyOf = async (email: string, fields: object) => {
  const holder = await signIn(service, email);
  const { body } = await holder.post("/api/keys", { name: "CI", ...fields });
  return (body as { key: string }).key;
};

describe("an API key", () => {
  // C25.16
  it("is taken from its addresses only, which no X-Forwarded-For of a client's own changes", async () => {
    const fields = { scopes: ["domains:read"], addresses: ["203.0.113.0/24", "2001:db8::/32"] };
    const authorization = `Bearer ${await keyOf("program@example.org", fields)}`;
    const from = async (forwarded: string) => {
      const headers = { authorization, ...(forwarded ? { "x-forwarded-for": forwarded } : {}) };
      return (await new Client(service.url).request("GET", "/api/domains", { headers })).status;
    };
    for (const inside of [
      "203.0.113.7",
      "::ffff:203.0.113.7",
      "2001:DB8::1",
      "6.6.6.6, 203.0.113.7",
    ])
      expect([inside, await from(inside)]).toEqual([inside, 200]);
    for (const outside of [
      "",
      "198.51.100.1",
      "203.0.113.7, 198.51.100.1",
      "203.0.113.7, unknown",
      "203.0.113.7:443",
      "[2001:db8::1]",
      "::203.0.113.7",
      "203.0.113",
    ])
      expect([outside, await from(outside)]).toEqual([outside, 401]);
  });

  it("is rotated once by two clicks, so that the one in use goes on working", async () => {
    const holder = await signIn(service, "rotating@example.org");
    const made = await holder.post("/api/keys", { name: "CI", scopes: ["domains:read"] });
    const { id, key } = made.body as { id: string; key: string };
    const click = () =>
      holder.request("POST", `/account/keys/${id}`, form({ intent: "rotate", rotatedAt: "" }));
    const [first, second] = [await click(), await click()];
    expect([first.status, second.status]).toEqual([200, 409]);
    expect(first.text).toMatch(new RegExp(`deed_${id}_[0-9a-z]{39}`));
    expect(second.text).toContain("nothing was done");
    const headers = { authorization: `Bearer ${key}` };
    const used = await new Client(service.url).request("GET", "/api/domains", { headers });
    expect(used.status).toBe(200);
  });

  it.skipIf(lacks("curl"))("is used as the README shows", async () => {
    const key = await keyOf("reader@example.org", { scopes: ["domains:read", "domains:write"] });
    const readme = readFileSync(resolve(import.meta.dirname, "../../README.md"), "utf8");
    const example =
      /### API keys.*?```sh\nexport DEED_KEY=\S+.*?\n(.*?)```/s.exec(readme)?.[1] ?? "";
    const script = example.replaceAll("http://localhost:3000", service.url);
    const run = promisify(execFile);
    const { stdout } = await run("sh", ["-ec", script.replaceAll("curl ", "curl -fsS ")], {
      env: { ...process.env, DEED_KEY: key },
    });
    expect(stdout).toMatch(/^\{"id":"dom_.*"name":"example\.com".*\{"domains":\[\{"id":"dom_/s);
  });
});

describe("a browser that refuses cookies", () => {
  it("is told so where the code would be typed, before and after typing it", async () => {
    const email = "no-cookies@example.org";
    const bare = { cookie: "" };
    const asked = await new Client(service.url).request(
      "POST",
      "/sign-in?index",
      form({ email, callbackPath: "/domains" }),
    );
    expect(asked.headers.get("location")).toBe("/sign-in/sent");
    await expect.poll(() => mailsTo(email)).toBe(1);
    for (const path of ["/sign-in/sent", "/sign-in/code"]) {
      const page = await new Client(service.url).request("GET", path, { headers: bare });
      expect(page.status).toBe(200);
      expect(page.text).toContain("this browser refuses cookies");
      expect(page.text).not.toContain('name="code"');
    }
    const typed = await new Client(service.url).request(
      "POST",
      "/sign-in/code",
      form({ email, code: newestCode(email) }),
    );
    expect(typed.status).toBe(401);
    expect(typed.text).toContain("this browser refuses cookies");
  });
});

describe("1,000 addresses against one holder", () => {
  it("keep strangers from the mailbox for a day, and the holder from nothing", async () => {
    const email = "besieged@example.org";
    const holder = await signIn(service, email);
    await holder.post("/api/auth/sign-out");
    const asked = { 202: 0, 429: 0 } as Record<number, number>;
    for (let at = 0; at < 1_000; at += 1) {
      const attacker = new Client(service.url);
      const headers = { "X-Forwarded-For": `10.${at >> 8}.${at & 255}.1` };
      const json = { email };
      const ask = await attacker.request("POST", "/api/auth/magic-link", { json, headers });
      asked[ask.status] = (asked[ask.status] ?? 0) + 1;
      const path = "/api/auth/magic-link/verify";
      const guess = { json: { email, code: "000000" }, headers };
      await attacker.request("POST", path, guess);
    }
    expect(asked).toEqual({ 202: 19, 429: 981 });
    await expect.poll(() => mailsTo(email)).toBe(20);

    expect((await holder.post("/api/auth/magic-link", { email })).status).toBe(202);
    await expect.poll(() => mailsTo(email)).toBe(21);
    const code = newestCode(email);
    const signedIn = await holder.post("/api/auth/magic-link/verify", { email, code });
    expect(signedIn.status).toBe(200);
    console.log(
      `${asked[202]} of 1000 strangers' asks were mailed; the holder signed in at the first try`,
    );
  });
});

describe("leaving by the account page", () => {
  const gone = (headers: Headers) => {
    expect(headers.get("location")).toBe("/");
    expect(headers.get("clear-site-data")).toBe('"storage"');
    expect(headers.getSetCookie()).toEqual([expect.stringMatching(/^session=; .*Max-Age=0/)]);
  };

  it("takes the cookie out and clears what pages kept, everywhere and for this browser", async () => {
    const email = "leaving@example.org";
    const everywhere = await signIn(service, email);
    const out = await everywhere.request("POST", "/account?index", form({ intent: "end-all" }));
    gone(out.headers);
    const client = await signIn(service, email);
    const { sessions } = (await client.get("/api/account/sessions")).body as {
      sessions: { id: string }[];
    };
    const fields = { intent: "end", id: sessions[0]?.id ?? "" };
    gone((await client.request("POST", "/account?index", form(fields))).headers);
    expect(client.cookie).toBe("");
    expect((await client.get("/")).text).toContain("/sign-in");
  });
});

describe("an identity provider", () => {
  it("gives an account to one identity alone; a second one reads why it has none", async () => {
    const email = "shared@example.org";
    const first = await arrive("first", email);
    expect(first.done.headers.get("location")).toBe("/domains");
    const second = await arrive("second", email);
    const page = await second.client.get(second.done.headers.get("location") ?? "");
    expect(page.status).toBe(401);
    const text = page.text.replaceAll("<!-- -->", "");
    expect(text).toContain("is connected to another identity of Example login,");
    expect(second.client.cookie).toBe("");
  });

  it("is named by a proof while it alone vouches for the address", async () => {
    const email = "vouched@example.org";
    const { client } = await arrive("vouched", email);
    playground.addZone({ name: "vouched.example", nameservers: ["ns1.hosting.example"] });
    const claim = await openClaim(client, "vouched.example");
    playground.addRecord("vouched.example", txt(claim.name, claim.token));
    await client.post(`/api/verifications/${claim.verificationId}/runs`);
    const link = await client.post(`/api/claims/${claim.id}/proof_links`);
    const path = `/p/${(link.body as { slug: string }).slug}`;
    const stranger = new Client(service.url);
    const before = (await stranger.get(path)).text;
    expect(before).toContain(`The identity provider ${new URL(provider.issuer).host} vouched`);
    expect(before).not.toContain("answered a mail");

    await signIn(service, email);
    const after = (await stranger.get(path)).text;
    expect(after).toContain("The holder answered a mail that Deed sent to the address");
    expect(after).not.toContain("identity provider");
  });
});

describe("the account's log", () => {
  it("stands on the account page, newest first, all of it where asked", async () => {
    const email = "logged@example.org";
    const client = await signIn(service, email);
    await client.request("POST", "/account?index", form({ intent: "mail", mail: "off" }));
    const other = await signIn(service, "unlogged@example.org");
    const { text } = await client.get("/account");
    const lines = ["Email notices turned off", "Signed in with an emailed link"];
    const at = lines.map((line) => text.indexOf(line));
    expect(at).toEqual(at.toSorted((a, b) => a - b));
    expect(at[0]).toBeGreaterThan(0);
    expect((await other.get("/account")).text).not.toContain("Email notices turned off");
    for (let each = 0; each < 6; each += 1)
      for (const mail of ["on", "off"])
        await client.request("POST", "/account?index", form({ intent: "mail", mail }));
    expect((await client.get("/account")).text).toMatch(/Show (<!-- -->)?4(<!-- -->)? earlier/);
    expect((await client.get("/account?log=all")).text).toContain("Signed in with an emailed link");
  });

  it("leaves a link mailed before a sign-in void", async () => {
    const email = "voided@example.org";
    const client = new Client(service.url);
    await client.post("/api/auth/magic-link", { email });
    await expect.poll(() => mailsTo(email)).toBe(1);
    const token = mailedToken(service, email);
    await signIn(service, email);
    expect((await client.get(`/sign-in/confirm?token=${token}`)).status).toBe(401);
    expect((await client.post("/api/auth/magic-link/verify", { token })).status).toBe(401);
  });
});
