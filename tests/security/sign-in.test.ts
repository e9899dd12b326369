import { existsSync, readdirSync, readFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newEmail, targetService } from "../contract/kit.ts";
import { Client, mailedToken } from "../support/client.ts";
import { databaseFolder, databaseIn, openBeside } from "./database.ts";

// tests/service/sign-in.test.ts and app/features/sign-in/magic-link.test.ts cover scanners, people and parallel posts; this file
// repeats it at the required scale.
const dataDir = databaseFolder();
const target = targetService({ RATE_LIMIT_MAIL_ADDRESS: "5/900", ...databaseIn(dataDir) });

/** A request with headers that fetch would not send. */
const raw = (path: string, headers: Record<string, string>, body?: string) =>
  new Promise<{ status: number; location: string; text: string }>((resolve, reject) => {
    const request = httpRequest(
      target().url + path,
      { method: body === undefined ? "GET" : "POST", headers, setHost: false },
      (answer) => {
        let text = "";
        answer.on("data", (chunk) => {
          text += chunk;
        });
        answer.on("end", () =>
          resolve({
            status: answer.statusCode ?? 0,
            location: answer.headers.location ?? "",
            text,
          }),
        );
      },
    );
    request.on("error", reject);
    request.end(body);
  });

const outbox = () => join(target().own.service.dataDir, "outbox");
/** The names of the mails so far. Rereading a thousand mails for each one would take most of the time. */
const mailNames = () => (existsSync(outbox()) ? readdirSync(outbox()).sort() : []);
const mailsSince = (before: number) =>
  mailNames()
    .slice(before)
    .map((name) => readFileSync(join(outbox(), name), "utf8"));

const settled = async (mails: number) =>
  expect.poll(() => mailNames().length, { timeout: 20_000 }).toBe(mails);

async function mailed(email = newEmail(), callbackPath?: string) {
  const before = mailNames().length;
  const body = { email, ...(callbackPath === undefined ? {} : { callbackPath }) };
  const asked = await target().stranger().post("/api/auth/magic-link", body);
  await settled(before + 1);
  return { asked, email, token: mailedToken({ outbox: () => mailsSince(before) }, email) };
}

const sessionsOf = (email: string) => {
  const db = openBeside({ dataDir });
  const count = db
    .prepare("select count(*) from sessions join people on people.id = person_id where email = ?")
    .pluck()
    .get(email);
  db.close();
  return count;
};

it("a scanner's HEAD, GET and GET create no session, and the person's post creates one", async () => {
  const { email, token } = await mailed();
  const scanner = new Client(target().url);
  for (const method of ["HEAD", "GET", "GET"])
    await scanner.request(method, `/sign-in/confirm?token=${token}`);
  expect([sessionsOf(email), scanner.cookie]).toEqual([0, ""]);
  const person = new Client(target().url);
  expect((await person.post("/api/auth/magic-link/verify", { token })).status).toBe(200);
  expect(sessionsOf(email)).toBe(1);
});

it("100 simultaneous posts of one token create one session", async () => {
  const { email, token } = await mailed();
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, at) => {
      const client = new Client(target().url);
      return at % 2
        ? client.post("/api/auth/magic-link/verify", { token })
        : client.request("POST", "/sign-in/confirm", {
            body: `token=${token}`,
            headers: {
              "content-type": "application/x-www-form-urlencoded",
              Origin: target().url,
              cookie: "cookies=kept",
            },
          });
    }),
  );
  expect(answers.filter(({ status }) => status < 400)).toHaveLength(1);
  expect(answers.filter(({ headers }) => headers.getSetCookie().length > 0)).toHaveLength(1);
  expect(sessionsOf(email)).toBe(1);
});

/** A thousand Host and forwarding headers that would make a careless service link elsewhere. */
function hostileHosts(): Record<string, string>[] {
  const own = new URL(target().url).host;
  const evil = ["evil.example", "evil.example:443", `${own}.evil.example`, `evil.example/${own}`];
  const odd = [`${own}@evil.example`, `evil.example#${own}`, `${own}, evil.example`, "[::1]:1", ""];
  const hosts = [...evil, ...odd, "evil.example\\", "evil.example%00", "//evil.example", "a b"];
  const names = [
    "X-Forwarded-Host",
    "X-Host",
    "X-Forwarded-Server",
    "Forwarded",
    "X-Original-Host",
  ];
  return Array.from({ length: 1_000 }, (_, at) => {
    const host = hosts[at % hosts.length] ?? "";
    const name = names[at % names.length] ?? "";
    const value = name === "Forwarded" ? `host=${host};proto=https` : host;
    const fields: Record<string, string> = { Host: at % 3 === 0 ? own : host };
    if (at % 3 !== 1) fields[name] = value;
    if (at % 7 === 0) fields["X-Forwarded-Proto"] = "https";
    return fields;
  });
}

it("1,000 hostile Host headers put no foreign link into a mail", async () => {
  const before = mailNames().length;
  const hosts = hostileHosts();
  const statuses = new Map<number, number>();
  for (let at = 0; at < hosts.length; at += 25) {
    const batch = hosts.slice(at, at + 25).map((headers) => {
      const body = JSON.stringify({ email: newEmail() });
      const type = { "Content-Type": "application/json", "Content-Length": String(body.length) };
      return raw("/api/auth/magic-link", { ...headers, ...type }, body);
    });
    for (const { status } of await Promise.all(batch))
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  const sent = statuses.get(202) ?? 0;
  await settled(before + sent);
  const origins = mailsSince(before).flatMap((mail) => mail.match(/https?:\/\/[^/\s"<]+/g) ?? []);
  console.log(`${sent} mails, ${origins.length} links, answers ${JSON.stringify([...statuses])}`);
  expect(sent).toBeGreaterThan(900);
  expect(new Set(origins)).toEqual(new Set([target().url]));
});

const ELSEWHERE = [
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/\n//evil.example",
  "https://evil.example",
  "https:evil.example",
  "http:/evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  "/%2f/evil.example/..//evil.example",
  "/..//evil.example",
  "/.//evil.example",
  "/./\\evil.example",
  "//evil.example%2f@localhost",
  "/@evil.example",
  "?//evil.example",
  "evil.example",
  " //evil.example",
  "/domains\r\nLocation: //evil.example",
  "\u2028//evil.example",
  "/\u00a0//evil.example",
  "",
];

it("open-redirect payloads never lead off the site, by mail or by page", async () => {
  const { url } = target();
  const isHere = (location: string) => new URL(location, `${url}/sign-in/`).origin === url;
  const landed: string[] = [];
  for (const path of ELSEWHERE) {
    const { token } = await mailed(newEmail(), path);
    const done = await raw(
      "/sign-in/confirm",
      {
        Host: new URL(url).host,
        Origin: url,
        "Content-Type": "application/x-www-form-urlencoded",
        Cookie: "cookies=kept",
      },
      `token=${token}`,
    );
    expect([path, done.status]).toEqual([path, 303]);
    landed.push(done.location);
    const page = await target()
      .stranger()
      .get(`/sign-in?next=${encodeURIComponent(path)}`);
    landed.push(/name="callbackPath" value="([^"]*)"/.exec(page.text)?.[1] ?? "missing:");
  }
  console.log(
    `${ELSEWHERE.length} payloads, ${landed.length} ways, off site ${landed.filter((location) => !isHere(location)).length}`,
  );
  expect(landed).toHaveLength(2 * ELSEWHERE.length);
  expect(landed.filter((location) => !isHere(location))).toEqual([]);
});

it("known and unknown addresses have the same answers and the same mail budget", async () => {
  const known = newEmail();
  await target().signIn(known);
  const unknown = newEmail();
  await mailed(unknown);
  const outcomes = async (email: string) => {
    const answers = [];
    for (let each = 0; each < 6; each += 1) {
      const answer = await target().stranger().post("/api/auth/magic-link", { email });
      // Each response's cookie holds a different secret.
      const kept = [...answer.headers]
        .filter(([name]) => !["date", "retry-after"].includes(name))
        .map(([name, value]) => [name, value.replace(/^sign-in=[^;]{100,};/, "sign-in=…;")]);
      answers.push([answer.status, answer.text, kept]);
    }
    return answers;
  };
  const [first, second] = [await outcomes(known), await outcomes(unknown)];
  expect(first).toEqual(second);
  expect(first.map(([status]) => status)).toEqual([202, 202, 202, 202, 429, 429]);
});
