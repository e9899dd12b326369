import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { startPlayground } from "@deed/playground/playground.ts";
import { txt } from "@deed/playground/records.ts";
import type { Report } from "@deed/receipt/report.ts";
import type { Receipt } from "@deed/receipt/statement.ts";
import Database from "better-sqlite3";
import { Webhook } from "standardwebhooks";
import { afterAll, describe, expect, it } from "vitest";
import { says } from "../contract/sentences.ts";
import { block } from "../pages/blocks.ts";
import { deed } from "../support/command.ts";
import { Client } from "../support/deed.ts";
import { Hooks } from "../support/hooks.ts";
import { lacks } from "../support/lacks.ts";
import { deedCommand } from "../support/product.ts";
import { newFolder, startService } from "../support/service.ts";

/** Written by version 0.2.0: tests/data/README.md. */
const WRITTEN = "tests/data/deed-0.2.0";
const HOLDER = "mara@holder.example";
const COOKIE = "session=RfFNueoSX0ABHMvFXvibZphlfhquCYN6qZHjQe40bik";
const KEY = "deed_key_1m7hdzppd1j9ga184sbtyv1dn_ctd6r868e4zmpahj76ss3xsep9r0sfd00hf050d";
/** The trust anchor of 0.2.0's root. */
const ANCHOR =
  ". IN DS 27723 15 2 3f906b38e5555f8cf7d3d10ff2d5bf1efb08ea4588a93835471296d185022d1e";
/** The zone of each open claim. */
const OPEN = ["lantern.example", "parked.example", "xn--bcher-kva.example"];

type Row = Record<string, string | number | null>;

const folder = newFolder();
const dataDir = join(folder, "data");
const before = join(folder, "before.db");
const now = join(dataDir, "deed.db");
const rowsIn = (file: string, query: string, ...given: unknown[]): Row[] => {
  const db = new Database(file, { readonly: true });
  const rows = db.prepare<unknown[], Row>(query).all(...given);
  db.close();
  return rows;
};
const old = (query: string, ...given: unknown[]) => rowsIn(before, query, ...given);
const inHand = (query: string, ...given: unknown[]) => rowsIn(now, query, ...given);

const playground = await startPlayground();
playground.addZone({ name: "parked.example", nameservers: ["ns1.hosting.example"] });
const hooks = new Hooks();

/** With an API key that 0.2.0 made. */
const program = () => new Client(service.url, KEY);

const partOf = (jws: string, at: number) =>
  JSON.parse(Buffer.from(jws.split(".")[at] ?? "", "base64url").toString());

/** The result of `deed verify` for a claim's receipt, with the key set and the holder. */
async function verified(id: unknown) {
  const at = `/api/claims/${id}`;
  const receipt = await mara.expect<Receipt>(200, "GET", `${at}/receipt`);
  const { opening } = await mara.expect<{ opening: string }>(200, "GET", `${at}/opening`);
  const [file, keys] = [join(folder, "receipt.json"), join(folder, "jwks.json")];
  writeFileSync(file, JSON.stringify(receipt));
  writeFileSync(keys, (await mara.get("/.well-known/jwks.json")).text);
  const anchors = [ANCHOR, playground.env.DNS_TRUST_ANCHORS].flatMap((one) => ["--anchor", one]);
  const holder = ["--holder", HOLDER, "--opening", opening];
  const told = deed(["verify", file, "--key", keys, ...anchors, ...holder, "--json"]);
  expect(told.stderr).toBe("");
  const { verdict, parts } = JSON.parse(told.stdout) as Report;
  const found = Object.fromEntries(parts.map(({ part, code }) => [part, code]));
  return { receipt, found: { verdict, ...found } };
}

const GOOD = {
  ...{ file: "read", signature: "valid", key: "expected", statement: "consistent", stamp: "none" },
  ...{ token: "not_bound", holder: "opened" },
};
/** By what 0.2.0's receipt says about the domain's signatures. */
const AGAIN: Record<string, object> = {
  secure: { ...GOOD, verdict: "good", dnssec: "valid" },
  insecure: { ...GOOD, verdict: "weaker", dnssec: "indeterminate" },
};

const OF_MARA = "account_id = (select id from accounts where email = 'mara@holder.example')";
const FIXED = ["accounts", "domains", "proof_links", "handoffs", "invitations", "api_keys"];
const GROWING =
  "people sessions claims verifications attempts attempt_evidence receipts watches notices signing_keys webhooks webhook_messages webhook_deliveries account_events";

/** The last key that signed under 0.2.0. */
const lastKey = () => old("select kid from signing_keys where not_after is null")[0] ?? {};

cpSync(WRITTEN, dataDir, { recursive: true });
writeFileSync(before, gunzipSync(readFileSync(`${WRITTEN}/deed.db.gz`)));
cpSync(before, now);
// The receiver's port was random.
const db = new Database(now);
db.prepare("update webhooks set url = ?").run(`${await hooks.open()}/hook`);
db.close();
const [{ at = 0 } = {}] = old("select max(at) as at from change_feed");
// Eight hours after 0.2.0 was stopped.
const service = await startService({
  dataDir,
  env: {
    ...playground.env,
    NODE_OPTIONS: `--require ${resolve("tests/support/clock-off.cjs")}`,
    CLOCK_OFF_MS: String(Number(at) + 8 * 3_600_000 - Date.now()),
    CLOCK_TRUSTED: "on",
    WEBHOOK_ALLOW_ADDRESSES: "127.0.0.0/8",
  },
});
const mara = new Client(service.url);
mara.cookie = COOKIE;
afterAll(async () => {
  await service.stop();
  hooks.close();
  await playground.stop();
});

// Each test goes on where the last one ended.
describe("a database that version 0.2.0 wrote", { shuffle: false }, () => {
  it("is opened with all that is in it, for the session and the key of the API of before", async () => {
    for (const table of FIXED) {
      const [row = {}] = old(`select * from ${table}`);
      const columns = Object.keys(row).filter((name) => !name.startsWith("last_"));
      const query = `select ${columns.join()} from ${table} order by rowid`;
      expect(inHand(query), table).toEqual(old(query));
    }
    for (const table of GROWING.split(" ")) {
      const query = `select count(*) as rows from ${table}`;
      const [{ rows } = {}] = old(query);
      expect(rows, table).toBeGreaterThan(0);
      expect(inHand(query)[0]?.rows, table).toBeGreaterThanOrEqual(Number(rows));
    }
    const stranger = new Client(service.url);
    const links = old(
      "select slug, name, token, revoked_at from proof_links join claims on id = claim_id",
    );
    expect(links).toHaveLength(4);
    for (const { slug, name: domain, token, revoked_at } of links) {
      const status = revoked_at === null ? 200 : 410;
      expect((await stranger.get(`/p/${slug}`)).status).toBe(status);
      const proof = await stranger.get(`/api/proofs/${slug}`);
      expect(proof.status).toBe(status);
      if (status === 200) expect(proof.body).toMatchObject({ domain, token });
    }
    const { domains } = await mara.expect<{ domains: Row[] }>(200, "GET", "/api/domains");
    expect(Object.fromEntries(domains.map(({ name, status }) => [name, status]))).toEqual({
      ...Object.fromEntries(OPEN.map((name) => [name, "pending"])),
      ...{ "acme.com": "proved", "globex.com": "proved", "initech.com": "proved" },
      ...{ "hooli.com": "expired", "orchard.example": "canceled" },
    });
    const listed = (await program().get("/api/domains")).body;
    expect(listed).toMatchObject({ domains: domains.map(({ id, name }) => ({ id, name })) });
    const handoffs = old("select slug from handoffs").map(({ slug }) => `/h/${slug}`);
    const pages = ["/domains", "/notices", "/account", ...handoffs];
    for (const path of [...pages, ...domains.map(({ id }) => `/domains/${id}`)])
      expect((await mara.get(path)).status, path).toBe(200);
    for (const { id } of old(`select id from claims where state = 'proved' and ${OF_MARA}`))
      expect((await mara.get(`/api/claims/${id}/evidence`)).status).toBe(200);
  });

  it("has its receipts signed again, by the key that signs", async () => {
    const rows = old(
      `select claim_id, statement, name from receipts join claims on id = claim_id where ${OF_MARA}`,
    );
    expect(rows.map(({ name }) => name).sort()).toEqual(["acme.com", "globex.com", "initech.com"]);
    const { kid } = lastKey();
    for (const { claim_id: id, statement } of rows) {
      const { receipt, found } = await verified(id);
      const [said, says] = [String(statement), receipt.statement].map((jws) => partOf(jws, 1));
      expect(receipt.format).toBe("deed-receipt/2");
      expect(partOf(receipt.statement, 0)).toMatchObject({ alg: "Ed25519", kid });
      const dnssec = said.dnssec === "insecure" ? "indeterminate" : said.dnssec;
      const { iat, holderCommitment } = says;
      expect(says).toEqual({ ...said, dnssec, iat, holderCommitment });
      expect(found).toEqual(AGAIN[said.dnssec]);
    }
  });

  it(says("C23.13"), async () => {
    const claims = old(`select * from claims where state = 'pending' order by name`);
    expect(claims.map(({ name }) => name)).toEqual(OPEN);
    for (const { id, name, token, challenge_label } of claims) {
      const zone = String(name);
      expect((await mara.get(`/api/claims/${id}`)).body).toMatchObject({ state: "pending", token });
      playground.addRecord(zone, txt(`${challenge_label}.${zone}`, String(token)));
      playground.flushWitnesses();
      const [verification] = old("select id from verifications where claim_id = ?", id);
      const run = await program().post(`/api/verifications/${verification?.id}/runs`);
      expect(run.body, run.text).toMatchObject({ status: "proved" });
      const { receipt, found } = await verified(id);
      expect(partOf(receipt.statement, 1)).toMatchObject({ sub: zone, token });
      expect(receipt.statement).not.toContain("nonce");
      expect(found).toEqual({ ...GOOD, verdict: "good", dnssec: "unsigned" });
    }
  });

  it.skipIf(lacks("curl"))("has its receipts checked by the command for readers", () => {
    const [root, own] = [ANCHOR, playground.env.DNS_TRUST_ANCHORS];
    const typed = block("docs/operate/signing-key.md", "deed verify receipt.json").trimEnd();
    symlinkSync(deedCommand(), join(folder, "deed"));
    const { status, stdout } = spawnSync(
      "sh",
      ["-ec", `${typed} --anchor '${root}' --anchor '${own}'`],
      {
        cwd: folder,
        encoding: "utf8",
        env: {
          NODE_ENV: "production",
          PATH: `${folder}:${process.env.PATH}`,
          ...{ DEED_URL: service.url, NEW: String(lastKey().kid) },
        },
      },
    );
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^Good, according to this/)]);
  });

  it("has its webhook told what was pending and what is new, signed with its secret", async () => {
    const [{ secret } = {}] = old("select secret from webhooks");
    const pending = old(
      "select message_id from webhook_deliveries where state = 'pending' order by number",
    );
    expect(pending.length).toBeGreaterThan(3);
    const told = () => hooks.posts.map(({ headers }) => headers["webhook-id"]);
    await expect
      .poll(told, { timeout: 60_000 })
      .toEqual(expect.arrayContaining(pending.map(({ message_id }) => message_id)));
    const types = () => hooks.posts.map(({ body }) => JSON.parse(body).type);
    for (const type of ["watch.missing", "claim.proved"])
      await expect.poll(types, { timeout: 60_000 }).toContain(type);
    for (const { headers, body } of hooks.posts) {
      const { "webhook-id": id = "", "webhook-timestamp": at } = headers;
      const signature = new Webhook(String(secret)).sign(id, new Date(Number(at) * 1_000), body);
      expect(headers["webhook-signature"]?.split(" ")).toContain(signature);
    }
  });
});
