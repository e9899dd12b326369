import { execFile } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { DomainAndClaim } from "#app/features/by-name/resources.ts";
import { newEmail, newName, targetService } from "../contract/kit.ts";
import { lacks } from "../support/lacks.ts";
import { deedCommand } from "../support/product.ts";
import { freePort, launch, newFolder } from "../support/service.ts";
import {
  claimed,
  copyOut,
  type Holder,
  holderAt,
  prover,
  say,
  start,
  testerAt,
  until,
} from "./kit.ts";

/** The examples without packages, or with packages that are here; `npm run test:examples` runs the others too. */

const target = targetService({ WEBHOOK_ALLOW_ADDRESSES: "127.0.0.0/8" });

/** A page in the form for programs: its code blocks except the first, which has the settings. */
async function servedPage(path: string): Promise<{ language: string; code: string }[]> {
  const { url } = target();
  const { text } = await say("GET", `${url}/docs/${path}.md`);
  const blocks = [...text.matchAll(/```(\w+)\n([\s\S]*?)```/g)];
  const [settings, ...others] = blocks.map(([, language = "", code = ""]) => ({ language, code }));
  const lines = [`DEED_URL=${url}`, expect.stringMatching(/^DEED_KEY=deed_(?:key|test)_…$/)];
  expect(settings?.code.match(/(?<=^export ).*/gm)).toEqual(lines);
  return others;
}

/** Runs a page's command; the settings are the holder's. */
async function execute(command = "", settings: Partial<Holder["env"]> = {}, cwd = newFolder()) {
  const env = { ...process.env, NODE_ENV: "test" as const, ...settings };
  const { stdout } = await promisify(execFile)("sh", ["-ec", command], { env, cwd });
  return stdout;
}

const standing = (text: string) => DomainAndClaim.parse(JSON.parse(text));

describe("a newcomer who reads the pages as they are served", () => {
  it.skipIf(lacks("curl"))("comes from a test key to a proof in three calls", async () => {
    const { env } = await testerAt(target());
    const [ask, wait, learn, ...others] = (await servedPage("test-mode")).map(({ code }) => code);
    expect(others).toEqual([]);
    const asked = standing(await execute(ask, env));
    expect(asked).toMatchObject({ domain: { lastProvedAt: null }, record: { type: "TXT" } });
    await execute(wait, env);
    const { domain } = standing(await execute(learn, env));
    expect(domain).toMatchObject({ name: "proved.test", lastProvedAt: expect.any(String) });
  });

  it.skipIf(lacks("curl"))("comes from a key to a proof in two calls", async () => {
    const holder = await holderAt(target());
    const commands = (await servedPage("integrate")).map(({ code }) => code);
    const [prove, ask, ...others] = commands.map(
      (code) => async () => standing(await execute(code, holder.env)),
    );
    if (!prove || !ask) throw new Error("no commands");
    expect(others).toEqual([]);
    const { domain, claim, handoff } = await prove();
    expect(domain).toMatchObject({ name: "acme.com", reference: "customer-1" });
    expect((await prove()).claim).toEqual(claim);
    expect((await fetch(handoff?.url ?? "")).status).toBe(200);
    await holder.call("POST", `/verifications/${claim.verificationId}/runs`);
    const missing = await ask();
    expect(missing.diagnosis).toMatchObject({ cause: expect.any(String) });
    expect(missing).toMatchObject({ domain: { lastProvedAt: null } });
    expect(missing.record?.panel).toMatchObject({ zone: "acme.com" });
    await holder.publish("acme.com", claim);
    expect((await ask()).domain).toMatchObject({ lastProvedAt: expect.any(String) });
  });

  it("comes from each key to a proof by the client that the service gives out", async () => {
    const holder = await holderAt(target());
    const tester = await testerAt(target());
    const [make, program, use] = await servedPage("integrate/typescript");
    const cwd = newFolder();
    await execute(make?.code, holder.env, cwd);
    writeFileSync(`${cwd}/client.ts`, program?.code ?? "");

    const tried = prover(use?.code ?? "", "proved.test", cwd, tester.env);
    await tried.asked();
    await tester.move(60);
    expect(await tried.ended).toBe(0);
    expect(tried.printed()).toMatch(/^Proved at /m);

    const real = prover(use?.code ?? "", "globex.com", cwd, holder.env);
    const record = await real.asked();
    const path = "/domains/by-name/globex.com?reference=customer-1";
    const { claim } = await holder.call<DomainAndClaim>("GET", path);
    expect(claim.records).toMatchObject([record]);
    await holder.publish("globex.com", claim);
    expect(await real.ended).toBe(0);
    expect(real.printed()).toMatch(/^Proved at /m);
  });
});

it.skipIf(lacks("curl"))(
  "docs/integrate/set-up.md sets up an account, a key, a webhook and a domain, by what it shows",
  async () => {
    const page = readFileSync("docs/integrate/set-up.md", "utf8");
    const [settings = "", ...commands] = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(
      ([, text = ""]) => text,
    );
    const values = {
      DEED_URL: target().url,
      OUTBOX: `${target().own.service.dataDir}/outbox`,
      EMAIL: newEmail(),
      HOOK: "https://hooks.acme.com/deed",
    };
    expect(settings.match(/(?<=export )\w+/g)).toEqual(Object.keys(values));
    const [shorthand = "", signIn = "", key = "", hook = "", record = ""] = commands;
    const again = `${hook}${record}echo; echo "$DEED_KEY $DEED_WEBHOOK_SECRET"`;
    const script = [shorthand, signIn, key, hook, record, again].join("\necho\n");
    const env = { NODE_ENV: "test" as const, PATH: process.env.PATH, ...values };
    const { stdout } = await promisify(execFile)("sh", ["-c", script], { env, cwd: newFolder() });
    const [answer = "", secrets = ""] = stdout.trimEnd().split("\n").slice(-2);
    const [DEED_KEY = "", secret] = secrets.split(" ");
    expect(secret).toMatch(/^whsec_/);
    expect(DomainAndClaim.parse(JSON.parse(answer)).domain).toMatchObject({ name: "acme.com" });
    const { body } = await target().program(DEED_KEY).get("/api/webhooks");
    expect(body).toMatchObject({ webhooks: [{ url: values.HOOK }] });
  },
);

it("verified-badge shows a badge for what is proved, which leads to the proof, also while it is proved again", async () => {
  const holder = await holderAt(target());
  const claim = await claimed(holder, "hooli.com", "org-1");
  await claimed(holder, newName(), "org-1");
  const folder = copyOut("verified-badge");
  const before = await start(folder, holder.env);
  expect((await say("GET", `${before.url}/hooli`)).text).not.toContain("Proved");

  await holder.publish("hooli.com", claim);
  await holder.call("POST", "/claims", { domainId: claim.domainId });
  const after = await start(folder, holder.env);
  const { text } = await say("GET", `${after.url}/hooli`);
  expect(text.match(/✓/g)).toHaveLength(1);
  expect(text).toContain("✓ hooli.com");
  const link = /href="([^"]+)"/.exec(text)?.[1] ?? "";
  expect((await say("GET", link)).text).toContain(claim.token);
  const other = await say("GET", `${after.url}/initech`);
  expect(other.text).toContain("Initech &#60;Labs&#62;");
  expect(other.text).not.toContain("✓");
});

const check = async (env: Record<string, string>) => {
  const folder = copyOut("ci-check");
  // The lab has its own root key.
  const lab = `[ "$1" != verify ] || set -- "$@" --anchor "$DNS_TRUST_ANCHORS"`;
  writeFileSync(`${folder}/deed`, `#!/bin/sh\n${lab}\nexec '${deedCommand()}' "$@"\n`);
  chmodSync(`${folder}/deed`, 0o755);
  const { ended, printed } = launch("./check-domain.sh", [], {
    cwd: folder,
    env: {
      NODE_ENV: "production",
      PATH: `${folder}:${process.env.PATH}`,
      ...target().own.playground.env,
      ...env,
    },
  });
  return [await ended, printed()] as const;
};

it.skipIf(lacks("curl"))(
  "ci-check fails with the diagnosis until the record is there, and with a receipt that is not the right one",
  async () => {
    const holder = await holderAt(target());
    const DOMAIN = "initech.com";
    const claim = await claimed(holder, DOMAIN);
    expect(await check({ DOMAIN, TOKEN: claim.token })).toEqual([
      1,
      expect.stringMatching(
        /^::error title=initech\.com::record_absent: There is no TXT record at .+\n$/,
      ),
    ]);
    await holder.publish(DOMAIN, claim);
    expect(await check({ DOMAIN, TOKEN: claim.token })).toEqual([
      0,
      "initech.com: the record is there.\n",
    ]);

    const link = await holder.call<{ slug: string }>("POST", `/claims/${claim.id}/proof_links`);
    const RECEIPT = `${target().url}/api/proofs/${link.slug}/receipt`;
    const keys = await say<{ keys: { kid: string }[] }>(
      "GET",
      `${target().url}/.well-known/jwks.json`,
    );
    const KEY = keys.body.keys[0]?.kid ?? "";
    const [fine, another, foreign, old, nothing] = await Promise.all([
      check({ DOMAIN, RECEIPT, KEY }),
      check({ DOMAIN: "hooli.com", RECEIPT, KEY }),
      check({ DOMAIN, RECEIPT, KEY: `${"A".repeat(42)}E` }),
      check({ DOMAIN, RECEIPT, KEY, DAYS: "0" }),
      check({ DOMAIN }),
    ]);
    expect(fine).toEqual([0, expect.stringMatching(/^initech\.com: proved at \d{4}-.+Z\.\n$/)]);
    expect(another).toEqual([1, "::error title=hooli.com::The receipt is for initech.com.\n"]);
    expect(foreign).toEqual([1, "::error title=initech.com::The receipt is bad.\n"]);
    expect(old).toEqual([1, expect.stringContaining("Prove the domain again.")]);
    expect(nothing[0]).toBe(1);
  },
);

describe("webhook-receiver", () => {
  const known = (folder: string) => {
    const db = new DatabaseSync(`${folder}/webhooks.db`);
    const rows = db.prepare("select reference, name, proved_at, problem from domains").all();
    db.close();
    return rows as Record<string, string | null>[];
  };

  it("learns outcomes from the service", async () => {
    const holder = await holderAt(target());
    const PORT = String(await freePort());
    const url = `http://127.0.0.1:${PORT}/`;
    const { body } = await holder.browser.post("/api/webhooks", { url });
    const { secret } = body as { secret: string };
    const folder = copyOut("webhook-receiver");
    await start(folder, { PORT, DEED_WEBHOOK_SECRET: secret });

    const claim = await claimed(holder, "globex.com", "customer-1");
    await holder.call("POST", `/verifications/${claim.verificationId}/runs`);
    const row = { reference: "customer-1", name: "globex.com" };
    await until(() => known(folder)[0]?.problem != null);
    expect(known(folder)).toEqual([
      { ...row, proved_at: null, problem: expect.stringContaining(claim.token) },
    ]);
    await holder.publish("globex.com", claim);
    await until(() => known(folder)[0]?.proved_at != null);
    const { endedAt } = await holder.call<{ endedAt: string }>("GET", `/claims/${claim.id}`);
    expect(known(folder)).toEqual([{ ...row, proved_at: endedAt, problem: null }]);
  });

  it("does the work of a message once, in order for each domain, and after a crash", async () => {
    const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
    const folder = copyOut("webhook-receiver");
    const running = await start(folder, { DEED_WEBHOOK_SECRET: secret });
    const bodyOf = (type: string, id: string) => {
      const [name, about] = [`${id}.example`, { reference: null, endedAt: "2026" }];
      const data = type.startsWith("claim")
        ? { claim: { ...about, id: `claim of ${id}`, domainId: id, domain: name } }
        : { domain: { ...about, id, name } };
      return JSON.stringify({ type, timestamp: new Date().toISOString(), data });
    };
    const post = async (id: string, body: string, { by = secret, at = new Date() } = {}) => {
      const signature = new Webhook(by).sign(id, at, body);
      const headers = {
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
        "webhook-signature": signature,
      };
      return (await fetch(running.url, { method: "POST", headers, body })).status;
    };

    const proved = bodyOf("claim.proved", "one");
    expect(await post("msg_1", proved, { by: `whsec_${"A".repeat(43)}=` })).toBe(401);
    expect(await post("msg_1", proved, { at: new Date(Date.now() - 3_600_000) })).toBe(401);
    expect(await post("msg_1", " ".repeat(300_000))).toBe(413);
    expect(known(folder)).toEqual([]);
    for (const _ of [1, 2]) expect(await post("msg_1", proved)).toBe(204);
    // The example's handler fails here, because there is no verification.
    expect(await post("msg_2", bodyOf("claim.needs_attention", "two"))).toBe(204);
    expect(await post("msg_3", bodyOf("domain.holds", "two"))).toBe(204);
    expect(await post("msg_4", bodyOf("claim.proved", "three"))).toBe(204);
    await until(() => known(folder).length === 2);
    expect(known(folder).map(({ name }) => name)).toEqual(["one.example", "three.example"]);
    expect(running.printed().match(/claim\.proved one/g)).toHaveLength(1);

    await running.stop();
    const db = new DatabaseSync(`${folder}/webhooks.db`);
    db.prepare("insert into inbox (id, domain, body) values ('msg_5', 'four', ?)").run(
      bodyOf("claim.proved", "four"),
    );
    db.prepare("update inbox set body = ? where id = 'msg_2'").run(bodyOf("claim.opened", "two"));
    db.close();
    await start(folder, { DEED_WEBHOOK_SECRET: secret });
    await until(() => known(folder).length === 4);
  });
});

/** Written only from the served pages. */
it.each([
  ["python3", "life.py"],
  [process.execPath, "--experimental-strip-types", "--no-warnings", "life.mts"],
])(
  "a whole life adds, hands off, proves, watches, sees lapse and erases: %s %s",
  async (command, ...args) => {
    if (lacks(command)) return;
    const { env } = await testerAt(target());
    const { stdout } = await promisify(execFile)(command, args, {
      cwd: "tests/examples/whole-life",
      env: { ...process.env, ...env },
    });
    const [added, ...seen] = stdout.trim().split("\n");
    expect(added).toMatch(/^Add _service-challenge\.lapsed\.test or open http\S+\/h\/test_\w+$/);
    expect([...new Set(seen)]).toEqual([
      "holds published",
      "holds missing",
      "does not hold lapsed",
      "Erased: 1",
    ]);
  },
);
