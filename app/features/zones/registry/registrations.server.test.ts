import { createServer, type RequestListener } from "node:http";
import type { Diagnosis } from "@deed/dns/verdict/diagnosis.ts";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createOutbound } from "#app/core/outbound/outbound.server.ts";
import { listening } from "#app/core/testing/servers.ts";
import { stay, type TestService, testService } from "#app/core/testing/service.ts";
import { DAY, HOUR, iso, SECOND } from "#app/core/time.ts";
import { registrations } from "#db/schema.ts";
import { trimEverything } from "#worker/housekeeping.server.ts";
import { askNext, registryOf, wantRegistry } from "./registrations.server.ts";
import { fixedList } from "./registries.server.ts";

const OBSERVED = { nameservers: [] };
const LAME: Diagnosis = { code: "lame_delegation", awaits: "registrar", observed: OBSERVED };
const RDAP = { "Content-Type": "application/rdap+json" };
const HELD = { objectClassName: "domain", ldhName: "acme.com", status: ["client hold"] };

let base: string;
let asked: string[];
let answer: RequestListener;
let service: TestService;

/** Allows the RDAP server on 127.0.0.1 and no other special-purpose address. */
const withRegistry = (suffixes: string[]) => {
  service.ctx.registry = {
    outbound: createOutbound({ allowed: ["127.0.0.1/32"], denied: [] }),
    list: fixedList(new Map(suffixes.map((suffix) => [suffix, base]))),
  };
};

beforeEach(async () => {
  asked = [];
  answers(200, RDAP, JSON.stringify(HELD));
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    answer(request, response);
  });
  const { port, stop } = await listening(server);
  onTestFinished(stop);
  base = `http://127.0.0.1:${port}/rdap/`;
  service = testService();
  withRegistry(["com"]);
});

const DECISION = { outcome: "absent", diagnosis: LAME, wait: null } as const;
const want = (name = "acme.com") => wantRegistry(service.ctx, { name, zone: null }, DECISION);
const shown = (name = "acme.com") => {
  const verification = { diagnosis: JSON.stringify(LAME), zone: null };
  return registryOf(service.ctx.db, { claim: { name }, verification }, service.now);
};
const ask = () => askNext(service.ctx, stay);
const wantAndAsk = () => {
  want();
  return ask();
};
const answers = (status: number, headers: Record<string, string> = {}, body = "") => {
  answer = (_, response) => void response.writeHead(status, headers).end(body);
};

it("asks about a name that is wanted, once an hour, and shows what was said", async () => {
  await ask();
  expect(asked).toEqual([]);
  want();
  want("www.acme.com");
  await ask();
  expect(asked).toEqual(["/rdap/domain/acme.com"]);
  expect(shown()).toEqual({
    ...{ name: "acme.com", registered: true, statuses: ["client hold"], expiresAt: null },
    ...{ nameservers: null, delegationSigned: null, askedAt: iso(service.now) },
    cause: "The registrar has put acme.com on hold.",
    fix: "Ask the registrar what it needs to take acme.com off hold.",
  });
  service.now += HOUR - 1;
  await wantAndAsk();
  expect(asked).toHaveLength(1);
  service.now += 1;
  await wantAndAsk();
  expect(asked).toHaveLength(2);
  // The clock went back.
  service.now -= DAY;
  await wantAndAsk();
  expect(asked).toHaveLength(3);
});

it("leaves a server alone for six seconds, and longer if it asks for it", async () => {
  want("one.com");
  want("two.com");
  await ask();
  service.now += 5 * SECOND;
  await ask();
  expect(asked).toEqual(["/rdap/domain/one.com"]);
  answers(429, { "Retry-After": "7200" });
  service.now += SECOND;
  await ask();
  expect(asked).toHaveLength(2);
  want("three.com");
  service.now += 2 * HOUR - 1;
  await ask();
  expect(asked).toHaveLength(2);
  service.now += 1;
  await ask();
  expect(asked.at(-1)).toBe("/rdap/domain/three.com");
});

it("keeps what was known over a failure, and forgets it after a day", async () => {
  await wantAndAsk();
  answers(500);
  service.now += HOUR;
  await wantAndAsk();
  expect(asked).toHaveLength(2);
  expect(shown()).toMatchObject({ statuses: ["client hold"] });
  service.now += DAY - HOUR + 1;
  expect(shown()).toBeNull();
  await trimEverything(service.ctx, stay);
  expect(service.ctx.db.select().from(registrations).all()).toHaveLength(1);
  service.now += HOUR;
  await trimEverything(service.ctx, stay);
  expect(service.ctx.db.select().from(registrations).all()).toEqual([]);
});

it("C30.2: asks nobody with RDAP=off, without a server, or about a record", async () => {
  want("acme.org");
  await ask();
  service.ctx.registry = null;
  await wantAndAsk();
  withRegistry(["com"]);
  const observed = { answer: { type: "nxdomain" }, nearMiss: null } as const;
  const diagnosis = { code: "record_absent", awaits: "claimant", observed } as const;
  const decision = { outcome: "absent", diagnosis, wait: null } as const;
  wantRegistry(service.ctx, { name: "acme.com", zone: "acme.com" }, decision);
  wantRegistry(service.ctx, { name: "acme.com", zone: null }, { outcome: "unresolvable" });
  await ask();
  expect(asked).toEqual([]);
});

it("leaves no trace of a question that a stop cut off", async () => {
  const stopping = new AbortController();
  answer = () => stopping.abort();
  want();
  await askNext(service.ctx, stopping.signal);
  expect([asked.length, service.ctx.db.select().from(registrations).all()]).toEqual([1, []]);
});

it("holds a thousand names at most", () => {
  for (let n = 0; n < 1_100; n++) want(`n${n}.com`);
  expect(service.ctx.wantedNames.waiting).toHaveLength(1_000);
});

describe("not registered", () => {
  it("is what the registry's own server says in RDAP", async () => {
    answers(404, RDAP, '{"errorCode":404}');
    await wantAndAsk();
    const cause = "acme.com is not registered.";
    expect(shown()).toMatchObject({ registered: false, cause });
  });

  it("is not what a server says that a redirect leads to", async () => {
    answer = (request, response) =>
      void (request.url?.startsWith("/rdap/")
        ? response.writeHead(302, { Location: `/other${request.url}` }).end()
        : response.writeHead(404, RDAP).end());
    await wantAndAsk();
    expect([asked.at(-1), shown()]).toEqual(["/other/rdap/domain/acme.com", null]);
  });
});

it("a redirect is followed once", async () => {
  const held = answer;
  answer = (request, response) =>
    request.url === "/end"
      ? held(request, response)
      : void response.writeHead(307, { Location: "/end" }).end();
  await wantAndAsk();
  expect(asked).toEqual(["/rdap/domain/acme.com", "/end"]);
  expect(shown()).toMatchObject({ statuses: ["client hold"] });
  service.now += HOUR;
  answers(302, { Location: "/on" });
  await wantAndAsk();
  expect(asked.slice(2)).toEqual(["/rdap/domain/acme.com", "/on"]);
});

const endless: RequestListener = (_, response) => {
  response.writeHead(200, RDAP).write('{"objectClassName":"domain","ldhName":"acme.com","x":"');
  const more = () => {
    while (!response.destroyed && response.write("x".repeat(65_536)));
  };
  response.on("drain", more);
  more();
};
const elsewhere = `http://127.0.0.2:1/ http://169.254.169.254/latest/meta-data https://[::1]/
  https://10.0.0.1/ ftp://example.org/ https://user:secret@example.org/ none:%`;
type Row = [string, number, Record<string, string>, (string | RequestListener)?];
it.each<Row>([
  ...elsewhere.split(/\s+/).map((to): Row => [`a redirect to ${to}`, 302, { Location: to }]),
  ["404 of a web server", 404, { "Content-Type": "text/html" }],
  ["1 GB", 200, RDAP, endless],
  ["another name", 200, RDAP, JSON.stringify({ ...HELD, ldhName: "globex.com" })],
  ["HTML of status 200", 200, {}, JSON.stringify(HELD)],
  ["none", 0, {}, (request) => void request.socket.destroy()],
])("an answer that shows nothing: %s", async (_, status, headers, body = "") => {
  if (typeof body === "string") answers(status, headers, body);
  else answer = body;
  await wantAndAsk();
  expect([shown(), asked.length]).toEqual([null, 1]);
  const row = { name: "acme.com", answeredAt: null };
  expect(service.ctx.db.select().from(registrations).all()).toMatchObject([row]);
});
