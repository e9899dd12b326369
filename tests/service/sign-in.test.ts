import { request as httpRequest } from "node:http";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLIENT, startProvider } from "#app/features/sign-in/testing.oidc.ts";
import { Client, mailedToken } from "../support/client.ts";
import { freePort, type Service, startService } from "../support/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService({
    env: { RATE_LIMIT_MAIL_IP: "1000/3600", RATE_LIMIT_VERIFY: "1000/3600" },
  });
});
afterAll(() => service.stop());

const ORIGIN = () => ({ Origin: service.url });
const form = (fields: Record<string, string>) => ({
  body: String(new URLSearchParams(fields)),
  headers: { "content-type": "application/x-www-form-urlencoded", ...ORIGIN() },
});
const mails = () => service.outbox().length;

/** Requests a mail and waits until it is in the outbox. */
async function mailed(email: string, callbackPath = "/domains") {
  const before = mails();
  const client = new Client(service.url);
  expect((await client.post("/api/auth/magic-link", { email, callbackPath })).status).toBe(202);
  await expect.poll(mails).toBe(before + 1);
  const code = /^ {4}(\d{6})$/m.exec(service.outbox().at(-1) ?? "")?.[1] ?? "";
  return { client, token: mailedToken(service, email), code };
}

describe("the mailed link", () => {
  it("survives a scanner's HEAD, GET and GET, and signs in the person who posts", async () => {
    const { token } = await mailed("scanned@example.org", "/notices");
    const scanner = new Client(service.url);
    for (const method of ["HEAD", "GET", "GET"]) {
      const page = await scanner.request(method, `/sign-in/confirm?token=${token}`);
      expect(page.status).toBe(200);
      expect(page.headers.getSetCookie()).toEqual([expect.stringMatching(/^cookies=kept;/)]);
    }
    const person = new Client(service.url);
    const page = await person.get(`/sign-in/confirm?token=${token}`);
    expect(page.text).toContain("scanned@example.org");
    expect(page.text).toContain(`name="token" value="${token}"`);
    expect(page.headers.get("referrer-policy")).toMatch(/strict-origin$/);
    expect(page.headers.get("cache-control")).toContain("no-store");

    const done = await person.request("POST", "/sign-in/confirm", form({ token }));
    expect(done.status).toBe(303);
    expect(done.headers.get("location")).toBe("/notices");
    expect((await person.get("/api/auth/session")).body).toMatchObject({
      session: { email: "scanned@example.org" },
    });

    const again = await new Client(service.url).request(
      "POST",
      "/sign-in/confirm",
      form({ token }),
    );
    expect(again.status).toBe(401);
    expect(again.headers.getSetCookie()).toEqual([]);
    expect((await scanner.get(`/sign-in/confirm?token=${token}`)).status).toBe(401);
  });

  it("posted fifty times at once, starts one session", async () => {
    const { token } = await mailed("parallel@example.org");
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        new Client(service.url).post("/api/auth/magic-link/verify", { token }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(49).fill(401)]);
  });

  it("is not taken from another site's form", async () => {
    const { token } = await mailed("csrf@example.org");
    const { body, headers } = form({ token });
    const headersOfOthers: Record<string, string>[] = [
      { Origin: "https://evil.example" },
      { Origin: "null" },
      { "Sec-Fetch-Site": "cross-site" },
    ];
    for (const foreign of headersOfOthers) {
      const answer = await new Client(service.url).request("POST", "/sign-in/confirm", {
        body,
        headers: { ...headers, ...foreign },
      });
      expect(answer.status).toBe(403);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  it("points at the service, whatever Host the request named", async () => {
    const before = mails();
    const body = JSON.stringify({ email: "host@example.org" });
    const status = await new Promise((resolve, reject) => {
      const request = httpRequest(
        `${service.url}/api/auth/magic-link`,
        {
          method: "POST",
          headers: {
            Host: "evil.example",
            "X-Forwarded-Host": "evil.example",
            "Content-Type": "application/json",
            "Content-Length": Buffer.byteLength(body),
          },
        },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        },
      );
      request.on("error", reject);
      request.end(body);
    });
    expect(status).toBe(202);
    await expect.poll(mails).toBe(before + 1);
    expect(service.outbox().at(-1)).toContain(`${service.url}/sign-in/confirm?token=`);
    expect(service.outbox().at(-1)).not.toContain("evil");
  });
});

describe("the pages, without a script", () => {
  it("lead back to the page whose form was sent after the session had ended", async () => {
    const { headers } = await new Client(service.url).request("POST", "/claims/clm_open", {});
    expect(headers.get("location")).toBe("/sign-in?next=%2Fclaims%2Fclm_open");
  });

  it("sign in by the code of the mail, and out again", async () => {
    const client = new Client(service.url);
    const email = "pages@example.org";
    const guarded = await client.get("/domains?status=pending");
    expect(guarded.headers.get("location")).toBe("/sign-in?next=%2Fdomains%3Fstatus%3Dpending");
    const page = await client.get(guarded.headers.get("location") ?? "");
    expect(page.text).toContain('name="callbackPath" value="/domains?status=pending"');

    const fields = { email, callbackPath: "/domains?status=pending" };
    const before = mails();
    const sent = await client.request("POST", "/sign-in?index", form(fields));
    expect([sent.status, sent.headers.get("location")]).toEqual([303, "/sign-in/sent"]);
    const flow = sent.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const next = await client.request("GET", "/sign-in/sent", { headers: { cookie: flow } });
    expect(next.text).toContain(`name="email" value="${email}"`);
    await expect.poll(mails).toBe(before + 1);
    const code = /^ {4}(\d{6})$/m.exec(service.outbox().at(-1) ?? "")?.[1] ?? "";

    const wrong = code === "000000" ? "000001" : "000000";
    const refused = await client.request("POST", "/sign-in/code", form({ email, code: wrong }));
    expect(refused.status).toBe(401);
    expect(refused.text).toContain(`value="${email}"`);
    expect(refused.text).toContain('aria-invalid="true"');
    const done = await client.request("POST", "/sign-in/code", form({ email, code }));
    expect([done.status, done.headers.get("location")]).toEqual([303, "/domains?status=pending"]);

    expect((await client.get("/sign-out")).status).toBe(200);
    expect((await client.get("/api/account")).status).toBe(200);
    const out = await client.request("POST", "/sign-out", form({}));
    expect([out.status, out.headers.get("location")]).toEqual([303, "/"]);
    expect(client.cookie).toBe("");
  });

  it.each(["//evil.example", "https://evil.example", "/\\evil.example", "/.//evil.example"])(
    "never lead to %j",
    async (path) => {
      const client = new Client(service.url);
      const page = await client.get(`/sign-in?next=${encodeURIComponent(path)}`);
      expect(page.text).toContain('name="callbackPath" value="/domains"');
    },
  );

  it("keep what was typed and say what is wrong with it", async () => {
    const answer = await new Client(service.url).request(
      "POST",
      "/sign-in?index",
      form({ email: '"><script>alert(1)</script>', callbackPath: "/domains" }),
    );
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("This is not an email address");
    expect(answer.text).toContain("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(answer.text).not.toContain('"><script>alert(1)');
  });
});

describe("a session in use", () => {
  /** Sets the last use to two hours ago. */
  const lieFallow = () => {
    const database = new Database(join(service.dataDir, "deed.db"));
    database.exec("update sessions set last_used_at = last_used_at - 7200000");
    database.close();
  };

  it("has its cookie renewed once an hour, by whatever answers first", async () => {
    const { client, token } = await mailed("renewed@example.org");
    await client.post("/api/auth/magic-link/verify", { token });
    for (const path of ["/domains", "/api/account"]) {
      lieFallow();
      // A published proof shows nothing of whoever reads it, and reads no session.
      expect((await client.get("/p/none")).headers.getSetCookie()).toEqual([]);
      const first = await client.get(path);
      expect(first.headers.getSetCookie()).toEqual([
        `${client.cookie}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax`,
      ]);
      expect(first.headers.get("cache-control")).toContain("no-store");
      expect((await client.get(path)).headers.getSetCookie()).toEqual([]);
    }
  });

  it("is out of the browser after signing out, renewed a moment before or not", async () => {
    const { client, token } = await mailed("renewed@example.org");
    await client.post("/api/auth/magic-link/verify", { token });
    lieFallow();
    const out = await client.post("/api/auth/sign-out-everywhere");
    expect(out.status).toBe(204);
    expect(out.headers.getSetCookie().at(-1)).toMatch(/^session=; Max-Age=0; Path=\//);
    expect(client.cookie).toBe("");
  });
});

describe("secrets", () => {
  it("never appear in the output", async () => {
    const { client, token, code } = await mailed("quiet@example.org");
    await client.get(`/sign-in/confirm?token=${token}`);
    await client.get(`/sign-in/confirm/?x=1&token=${token}&y=2`);
    await client.get(`/sign-in/confirm?token=${token}%00`);
    await client.request("POST", "/sign-in/confirm", form({ token }));
    const printed = service.output();
    expect(printed).toContain("/sign-in/confirm");
    expect(printed).toContain("outbox/");
    expect(printed).not.toContain(token);
    expect(printed).not.toContain(`"${code}"`);
    expect(client.cookie).toMatch(/^session=[\w-]{43}$/);
    expect(printed).not.toContain(client.cookie.slice("session=".length));
    expect(printed).not.toContain("quiet@example.org");
  });
});

describe("an identity provider", () => {
  it("signs a browser in on the served service, leaves nothing of it in the log, and does not end it by silence", async () => {
    const port = await freePort();
    const provider = await startProvider(`http://localhost:${port}/api/auth/oidc/callback`);
    provider.person = { sub: "1", email: "idp@example.org", email_verified: true };
    const own = await startService({
      port,
      env: {
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: CLIENT.id,
        OIDC_CLIENT_SECRET: CLIENT.secret,
        OIDC_LABEL: "Example login",
      },
    });
    try {
      const client = new Client(own.url);
      expect((await client.get("/sign-in?next=/notices")).text).toContain("Example login");
      const start = await client.get("/api/auth/oidc?callbackPath=/notices");
      const back = await provider.signIn(start.headers.get("location") ?? "");
      const flow = start.headers.getSetCookie()[0]?.split(";")[0] ?? "";
      const path = back.pathname + back.search;
      const done = await client.request("GET", path, { headers: { cookie: flow } });
      expect([done.status, done.headers.get("location")]).toEqual([302, "/notices"]);
      expect((await client.get("/api/account")).body).toMatchObject({ email: "idp@example.org" });
      const html = { cookie: flow, accept: "text/html" };
      const again = await new Client(own.url).request("GET", path, { headers: html });
      expect([again.status, again.headers.get("location")]).toEqual([302, "/sign-in/failed"]);
      expect((await client.get("/sign-in/failed")).status).toBe(401);
      const secrets = [back.searchParams.get("code"), back.searchParams.get("state")];
      for (const secret of secrets) expect(own.output()).not.toContain(secret);

      provider.isSilent = true;
      const begun = await new Client(own.url).get("/api/auth/oidc");
      const late = await provider.signIn(begun.headers.get("location") ?? "");
      const cookie = begun.headers.getSetCookie()[0]?.split(";")[0] ?? "";
      const refused = await new Client(own.url).request("GET", late.pathname + late.search, {
        headers: { cookie },
      });
      expect(refused.status).toBeGreaterThanOrEqual(400);
      expect((await client.get("/api/account")).status).toBe(200);
    } finally {
      await own.stop();
      await provider.stop();
    }
  });
});
