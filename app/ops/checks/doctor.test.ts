import { execFileSync } from "node:child_process";
import { createSocket } from "node:dgram";
import fs, { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { buffer, text } from "node:stream/consumers";
import { Authority, certificate, der, elliptic, pem } from "@deed/dns/testing/certificates.ts";
import { datedResolver } from "@deed/dns/testing/dated-resolver.ts";
import { type Playground, startPlayground } from "@deed/playground/playground.ts";
import { leaf, tokenOf } from "@deed/receipt/testing/odd-stamps.ts";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { portOf } from "#app/core/testing/servers.ts";
import { parseEnvironment } from "#app/environment/env.server.ts";
import { startProvider } from "#app/features/sign-in/testing.oidc.ts";
import { openDatabase } from "#db/client.ts";
import { leaveTrace, traceFile } from "#db/open-own.ts";
import { eachFolder } from "#db/testing.files.ts";
import { copyMigrated } from "#db/testing.ts";
import { lacksRoot, passOver } from "../../../tests/support/lacks.ts";
import { freePort } from "../../../tests/support/service.ts";
import { tearPages } from "../../../tests/support/torn-pages.ts";
import { examine } from "./checks.ts";
import { examineClock } from "./clock.ts";
import { examineFiles } from "./disk.ts";
import type { Finding } from "./finding.ts";
import { examineIpv6 } from "./root-servers.ts";

const DAY = 86_400_000;
const { signal } = new AbortController();

let playground: Playground;
/** A port of 127.0.0.1 without a listener. */
let closed: number;
/** Another port, for the service to listen on. */
let own: number;
const folder = eachFolder();
beforeAll(async () => {
  playground = await startPlayground();
  closed = await freePort();
  own = await freePort();
});
afterAll(() => playground.stop());
type Source = Record<string, string>;

/** Findings for an installation on the playground, with these additional settings. */
function findings(more: Source = {}, options: { mailTo?: string; authorities?: string[] } = {}) {
  const base = { PORT: String(own), HOST: "127.0.0.1", DATA_DIR: folder() };
  const source = { ...playground.env, ...base, BASE_URL: "http://localhost:3000", ...more };
  return examine({ source, mailTo: null, ...options });
}

/** The header flag of an answer that a resolver validated. */
const AD = 0x20;

const of = (subject: string, all: Finding[]) => all.filter((one) => one.subject === subject);

const worst = (subject: string, all: Finding[]) => {
  const states = of(subject, all).map(({ status }) => status);
  return (["broken", "warning", "ok"] as const).find((status) => states.includes(status));
};

/** A mail server that accepts this login and refuses this recipient. */
async function smtp({ secure = false } = {}) {
  const mails: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    secure,
    ...(secure ? new Authority().issue(["127.0.0.1"]) : {}),
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    onAuth: ({ password }, _, done) =>
      password === "right" ? done(null, { user: "deed" }) : done(new Error("no such login")),
    onRcptTo: ({ address }, _, done) =>
      address.startsWith("nobody") ? done(new Error("unknown mailbox")) : done(),
    onData: async (stream, _, done) => {
      mails.push(await text(stream));
      done();
    },
  });
  server.on("error", () => {});
  return { mails, host: `127.0.0.1:${await portOf(server.server)}` };
}

const MAIL_FROM = "deed@example.org";
/** Settings for such a server, with a URL that begins with `start`. */
const mailBy = async (start: string, options = {}) => ({
  SMTP_URL: start + (await smtp(options)).host,
  MAIL_FROM,
});

const answering = (answer: RequestListener) => portOf(createServer(answer));

const oidc = (at: number) => ({
  OIDC_ISSUER: `http://127.0.0.1:${at}`,
  OIDC_CLIENT_ID: "deed",
  OIDC_CLIENT_SECRET: "secret",
});

/** Settings with a stamper below its own root, which they name or not. */
async function stampedBy(isNamed: boolean): Promise<Source> {
  const [root, odd] = ["Root", "Odd"].map((name) => ({ name, key: elliptic() }));
  if (!root || !odd) throw new Error("no keys");
  const now = { from: Date.now() - DAY, until: Date.now() + DAY };
  const by = {
    ...{ party: odd, issuer: root },
    certificate: leaf({ subject: odd, issuer: root, ...now }),
  };
  const at = await answering(async (request, response) => {
    const query = await buffer(request);
    const more = { at: Date.now(), content: query.subarray(-13, -3) };
    const token = tokenOf({ imprint: query.subarray(-45, -13) }, by, [], more);
    response.end(der(0x30, der(0x30, "020100"), token));
  });
  const file = folder("roots.pem");
  writeFileSync(file, pem(certificate({ subject: root, issuer: root, ...now })), { mode: 0o600 });
  return { TIMESTAMP_URL: `http://127.0.0.1:${at}`, ...(isNamed && { TIMESTAMP_ROOTS: file }) };
}

async function litefs(info: object): Promise<Source> {
  const at = await answering((_, response) => response.end(JSON.stringify(info)));
  writeFileSync(folder("deed.db-pos"), "000000000000002a/0123456789abcdef\n");
  return {
    LITEFS_URL: `http://127.0.0.1:${at}`,
    CLUSTER_SECRET: "c".repeat(32),
    SESSION_SECRET: "s".repeat(32),
    SIGNING_KEY: "5".repeat(64),
    DATABASE_PATH: folder("deed.db"),
  };
}

function database(change = ""): void {
  const path = folder("deed.db");
  copyMigrated(path);
  const db = openDatabase(path);
  db.$client.exec(change);
  db.$client.close();
}

function hints(address: string, name = "a.root.example"): string {
  const file = folder("named.root");
  writeFileSync(file, `. 3600000 NS ${name}.\n${name}. 3600000 A ${address}\n`);
  return file;
}

/** Mounts a tmpfs on a folder if this user may; otherwise notes that and returns null. */
function mounted(options: string): string | null {
  const place = folder("mount");
  mkdirSync(place, { mode: 0o700 });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", place], { stdio: "pipe" });
  } catch {
    return passOver("the right to mount") && null;
  }
  onTestFinished(() => void execFileSync("umount", [place]));
  return place;
}

it("examines what docs/operate/doctor.md has a row for", () => {
  const [, rows = ""] = readFileSync("docs/operate/doctor.md", "utf8").split("| Subject |");
  const told = [...rows.matchAll(/^\| (.*?) \|/gm)].flatMap(([, row = ""]) => row.split(", "));
  expect(told.map((one) => one.replace(/^TCP$/, "DNS over TCP")).toSorted()).toEqual(
    [...Object.keys(CAUSES), "IPv6"].toSorted(),
  );
});

describe("an installation in order", () => {
  it("has nothing broken, on any subject", async () => {
    database();
    const provider = await startProvider("http://localhost:3000/api/auth/oidc/callback");
    onTestFinished(provider.stop);
    const { host, mails } = await smtp();
    const mail = { SMTP_URL: `smtp://deed:right@${host}`, MAIL_FROM };
    const trusted = { OIDC_ISSUER: provider.issuer, CLOCK_TRUSTED: "on" };
    const more = { ...mail, ...oidc(0), ...trusted, ...(await stampedBy(true)) };
    const all = await findings(more, { mailTo: "ada@example.org" });
    expect(all.filter(({ status }) => status === "broken")).toEqual([]);
    const subjects = Object.keys(CAUSES).filter((one) => !/LiteFS|Sign-up/.test(one));
    const shown = [...new Set(all.map(({ subject }) => subject))];
    expect(shown).toEqual(["Build", ...subjects.toSpliced(4, 0, "IPv6")]);
    expect(of("Build", all)[0]?.text).toMatch(
      /^\d+\.\d+\.\d+\S*, (of unknown age|\d+ \w+ old|a moment old)$/,
    );
    for (const { status, advice } of all) expect(advice === null).toBe(status === "ok");
    expect(mails.join()).toContain("To: ada@example.org");
    expect(JSON.stringify(all)).not.toContain("right");
  });

  it("is examined before it is configured, without a trace", async () => {
    rmSync(folder(), { recursive: true });
    const all = await findings();
    expect(all.filter(({ status }) => status === "broken")).toEqual([]);
    for (const subject of ["Disk", "Files", "Database"])
      expect(of(subject, all)[0]?.text).toContain("the first start creates");
  });
});

const withPort = (answer: string) => async () => ({
  PORT: String(await answering((_, to) => to.end(answer))),
});
const inFolder = (name: string, text: string) => writeFileSync(folder(name), text, { mode: 0o600 });
const ACCOUNT = "insert into accounts (id, email, created_at) values ('acc_1', 'k@example.org', 1)";
const PUBLIC = { BASE_URL: "https://deed.example.org" };
const primary = { hostname: "one:3000" };
const hinted = (address: string, name?: string) => ({ DNS_ROOT_HINTS: hints(address, name) });
const refusing = (names: string[]): void => {
  for (const name of names) {
    playground.setServerFault(name, "refused");
    onTestFinished(() => void playground.setServerFault(name, null));
  }
};

/** For each subject: the expected status and words, and a function that causes them and may return more settings. */
const CAUSES: Record<string, Record<string, () => unknown>> = {
  Configuration: {
    "broken ^PORT must be a port number": () => ({ PORT: "none", LOG_LEVEL: "loud" }),
    "broken MAIL_FROM": () => ({ SMTP_URL: "smtp://a" }),
    "warning ^ADMINS is not": () => ({ ADMINS: "kim" }),
    "warning DNS_RESOLVERS is empty": () => ({ DNS_RESOLVERS: "" }),
    "warning there are accounts, and BASE_URL is not set$": () => {
      database(ACCOUNT);
      return { BASE_URL: "" };
    },
  },
  Port: {
    "broken ^PORT must be free: \\d+ is in use": withPort("hello"),
    "ok ^Deed answers on \\d+$": withPort('{"status":"failing"}'),
    "broken ^HOST must be an address of this machine": () => ({ HOST: "nowhere.invalid" }),
    "broken ^METRICS must be an address": () => ({ METRICS: "192.0.2.1:9464" }),
  },
  "DNS over UDP": {
    "broken ^0 of 1 root servers answered": () => hinted("127.0.0.199"),
    "broken something on the path answers in place of 1 of 1": () => hinted("127.0.0.61"),
    "broken may be asked": () => ({ DNS_ALLOW_ADDRESSES: "10.0.0.0/8" }),
  },
  "DNS over TCP": {
    "broken ^0 of 1 root servers answered": async () => hinted(await udpOnly("127.0.0.10")),
  },
  Witness: {
    "warning ^cloudflare .* refuses": () => refusing(["cloudflare"]),
    "broken ^google .* refuses": () => refusing(["cloudflare", "google"]),
    "broken uses a different DNS root": () => hinted("127.0.0.10", "b.other"),
    "warning does not say that it validated": async () => {
      const [address = ""] = /[\d.]+(?=:)/.exec(playground.env.DNS_RESOLVERS) ?? [];
      return { DNS_RESOLVERS: `one=${await udpOnly(address)}:${playground.port}` };
    },
  },
  Clock: { "warning no time source could be asked": () => {} },
  Email: {
    "broken ^127\\.0\\.0\\.1:\\d+: .*ECONNREFUSED": () => ({
      ...{ SMTP_URL: `smtp://127.0.0.1:${closed}`, MAIL_FROM },
    }),
    "broken Invalid login": () => mailBy("smtp://deed:wrong-password@"),
    "broken certificate": () => mailBy("smtps://", { secure: true }),
    "broken does not begin with TLS$": () => mailBy("smtps://"),
    "broken sends no greeting$": () => mailBy("smtp://", { secure: true }),
  },
  "OpenID Connect": {
    "broken ^http://127\\.0\\.0\\.1:\\d+: .*ECONNREFUSED": () => oidc(closed),
    "broken ^http://127\\.0\\.0\\.1": async () =>
      oidc(await answering((_, to) => to.writeHead(404).end())),
  },
  Stamps: {
    "broken ^http.*:\\d+: .*ECONNREFUSED": () => ({ TIMESTAMP_URL: `http://127.0.0.1:${closed}` }),
    "broken ^http.*: the stamp of Odd leads to no known root$": () => stampedBy(false),
    "ok gives stamps that lead to a known root$": () => stampedBy(true),
  },
  Disk: {
    "broken ^DATA_DIR must be a folder": () => {
      inFolder("file", "");
      return { DATA_DIR: folder("file") };
    },
    "ok deed\\.db grew by about 0 MB in the last day$": () => database(),
  },
  Files: {
    "warning has mode 0755": () => chmodSync(folder(), 0o755),
    "broken deed\\.db has mode 0644": () => withMode("deed.db"),
    "broken session-secret has mode 0644": () => withMode("session-secret"),
  },
  Database: {
    "broken has schema \\d+, and this version of Deed knows schema \\d+ at most": () =>
      database("insert into __drizzle_migrations (hash, created_at) values ('x', 9e13)"),
    "ok the next start migrates it": () =>
      database(
        "delete from __drizzle_migrations where rowid = (select max(rowid) from __drizzle_migrations)",
      ),
    "broken deed\\.db is missing or empty, and .*made shows that there was a database$": () =>
      leaveTrace(traceFile({ DATA_DIR: folder() })),
    "broken not a database": () => inFolder("deed.db", "a shopping list, long enough"),
    "broken deed\\.db is damaged$": () => {
      database();
      tearPages(folder("deed.db"), "accounts");
    },
  },
  "Sign-up": {
    "ok ^closed to strangers: .* a database created at a public address stays closed$": () => {
      database(`${ACCOUNT}; insert into sign_up_closed (id) values (1)`);
      return PUBLIC;
    },
    "ok ^closed to strangers": () => PUBLIC,
    "warning the database had accounts": () => {
      database(ACCOUNT);
      return PUBLIC;
    },
    "warning OIDC_ISSUER is": () => ({ ...PUBLIC, ...oidc(closed) }),
  },
  LiteFS: {
    "broken does not answer": async () => ({
      ...(await litefs({})),
      LITEFS_URL: `http://127.0.0.1:${closed}`,
    }),
    "broken there is no primary": () => litefs({ isPrimary: false }),
    "warning last heard from it 1 minute ago": () => {
      inFolder(".lag", "60000\n");
      return litefs({ isPrimary: false, primary });
    },
    "ok is the primary, at transaction 42": () => litefs({ isPrimary: true, primary }),
  },
};

/** A relay to a playground server, without TCP, that removes the AD flag. */
async function udpOnly(server: string): Promise<string> {
  const address = "127.0.0.198";
  const relay = createSocket("udp4").on("message", (query, { address: from, port: at }) => {
    const asking = createSocket("udp4");
    asking.once("message", (answer) => {
      answer.writeUInt16BE(answer.readUInt16BE(2) & ~AD, 2);
      relay.send(answer, at, from);
      asking.close();
    });
    asking.send(query, playground.port, server);
  });
  await new Promise<void>((resolve) => relay.bind(playground.port, address, resolve));
  onTestFinished(() => void relay.close());
  return address;
}

function withMode(name: string): void {
  inFolder(name, "");
  chmodSync(folder(name), 0o644);
}

const causes = Object.entries(CAUSES).flatMap(([subject, all]) =>
  Object.entries(all).map(([said, set]) => [subject, said, set] as const),
);
it.each(causes)("%s is %s", async (subject, said, set) => {
  const [status = "", text = ""] = said.split(/ (.*)/s);
  const all = await findings(((await set()) ?? {}) as Source);
  expect(worst(subject, all)).toBe(status);
  const found = of(subject, all).find(
    (one) => one.status === status && RegExp(text).test(one.text),
  );
  expect(found ?? of(subject, all)).toMatchObject({ subject, status });
  expect(found?.advice === null).toBe(status === "ok");
  expect(JSON.stringify(all)).not.toContain("wrong-password");
});

it("examines the rest where values are bad", async () => {
  const wrong = { PORT: "none", SMTP_URL: "smtp://127.0.0.1", OIDC_ISSUER: "ftp://x" };
  const all = await findings(wrong);
  expect(of("Configuration", all).map(({ text }) => text.split(" ")[0])).toEqual(
    expect.arrayContaining(["PORT", "OIDC_ISSUER"]),
  );
  expect(worst("DNS over UDP", all)).toBe("ok");
  expect(worst("Database", all)).toBe("ok");
});

it("looks at the data folder behind a link", async () => {
  const link = folder("link");
  mkdirSync(folder("real"), { mode: 0o700 });
  fs.symlinkSync(folder("real"), link);
  expect(worst("Files", await findings({ DATA_DIR: link }))).toBe("ok");
});

it.each([
  ["ro,size=1m", "broken", /read-only/],
  ["size=64k", "broken", /less than 1 MB left/],
  ["size=64m", "warning", /has \d+ MB free/],
])("a disk mounted with %s is %s", async (options, status, text) => {
  const place = mounted(options);
  if (place === null) return;
  const found = of("Disk", await findings({ DATA_DIR: place }));
  expect(found[0]).toMatchObject({ status, text: expect.stringMatching(text) });
});

it("files of another user are broken", async () => {
  if (lacksRoot()) return;
  database();
  fs.chownSync(folder("deed.db"), 12_345, 12_345);
  const all = await findings();
  expect(of("Files", all)[0]?.text).toMatch(/deed\.db belongs to user 12345, not to root/);
});

it("another user's data folder is one finding, whatever is in it", async () => {
  withMode("deed.db");
  const other = (process.getuid?.() ?? 0) + 12_345;
  const found = examineFiles(parseEnvironment({ DATA_DIR: folder() }), other);
  const text = expect.stringMatching(`^${folder()} belongs to .+ not to user ${other}$`);
  expect(found).toMatchObject([{ status: "broken", text }]);
});

it("a test mail that the server does not take is broken", async () => {
  const all = await findings(await mailBy("smtp://"), { mailTo: "nobody@example.org" });
  expect(of("Email", all).map(({ status }) => status)).toEqual(["ok", "broken"]);
});

describe("the clock", () => {
  it.each([
    ["three days behind", 3 * DAY, "broken", /clock is 3 days behind the Date of dated/],
    ["three days ahead", -3 * DAY, "broken", /clock is 3 days ahead of the Date of dated/],
    ["three hours ahead", -3 * 3_605_000, "broken", /clock is 3 hours ahead of the Date of dated/],
    ["ten minutes behind", 600_000, "warning", /clock is 10 minutes behind/],
    ["right", 0, "ok", /agrees with the Date of dated/],
  ])("%s of the only source", async (_, ms, status, text) => {
    const { entry, authority, close } = await datedResolver(() =>
      new Date(Date.now() + ms).toUTCString(),
    );
    onTestFinished(() => void close());
    const all = await findings({ DNS_RESOLVERS: entry }, { authorities: [authority] });
    expect(of("Clock", all)).toMatchObject([{ status, text: expect.stringMatching(text) }]);
  });

  it("believes two sources rather than one that lies", async () => {
    const says = (name: string, ms: number) => ({ name, ask: async () => Date.now() + ms });
    const sources = [says("one", 1_000), says("three", 30 * DAY), says("two", 0)];
    expect(await examineClock(sources, false, signal)).toMatchObject([
      { status: "ok", text: "agrees with one and two" },
      { status: "warning", text: expect.stringContaining("behind three, but the other sources") },
    ]);
  });
});

it("a machine without IPv6 has a warning", async () => {
  const settings = {
    rootHints: [{ host: "a.root.example", addresses: ["2001:db8::1"] }],
    trustAnchors: [],
    witnesses: [],
    allowAddresses: [],
    port: closed,
  };
  expect(await examineIpv6(settings, signal, () => false)).toMatchObject([
    { status: "warning", text: "this machine has no IPv6 address" },
  ]);
});

it("shows nothing that changes the terminal", async () => {
  const all = await findings({ DATA_DIR: folder("\x1b[31m\u202e") });
  expect(JSON.stringify(all)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(JSON.stringify(all)).not.toContain("\\u001b");
});
