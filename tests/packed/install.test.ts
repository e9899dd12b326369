import { existsSync, globSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { type Client, openClaim, poll, signIn } from "../support/deed.ts";
import { answering, installed, run, runIn, startIn, TARBALL, until, VERSION } from "./tree.ts";

const URL = "http://localhost:3000";

describe("the npm tarball, in a bare Debian with Node and npm and without a network", () => {
  let tree: string;
  beforeAll(() => {
    tree = installed("tarball");
  });

  it("brings no other package, no source and no test", () => {
    expect(statSync(TARBALL).size).toBeLessThanOrEqual(8_400_000);
    const folder = join(tree, "usr/local/lib/node_modules");
    expect(readdirSync(folder).sort()).toEqual(["deed-server", "npm"]);
    const files = readdirSync(join(folder, "deed-server"), { recursive: true }).map(String);
    expect(files.filter((name) => /\.tsx?$|(^|\/)(tests?|node_modules)(\/|$)/.test(name))).toEqual(
      [],
    );
    expect(runIn(tree, ["deed", "version"]).stdout).toContain(VERSION);
  });

  it("has no page with a link that leads out of it", () => {
    const folder = join(tree, "usr/local/lib/node_modules/deed-server");
    const pages = globSync("**/*.md", { cwd: folder });
    expect(pages.length).toBeGreaterThan(15);
    const dead = pages.flatMap((page) => {
      const text = readFileSync(join(folder, page), "utf8");
      const links = text.matchAll(/(?:\]\(|src(?:set)?=")(?!\w+:|[#/])([^)"#]+)/g);
      const targets = [...links].map(([, target = ""]) => join(dirname(page), target));
      return targets.filter((target) => !existsSync(join(folder, target)));
    });
    expect(dead).toEqual([]);
  });

  it("leads from the demo to a shared proof", async () => {
    const demo = startIn(tree, ["deed", "demo"]);
    const panel = await until(demo, () => /Registrar panel +(http:\S+)/.exec(demo.printed())?.[1]);
    const links = () => demo.printed().match(/Link {2}http:\S+/g) ?? [];
    const client: Client = await signIn(
      { url: URL, outbox: () => links().map((link) => `anna@holder.example ${link}`) },
      "anna@holder.example",
    );
    const claim = await openClaim(client, "acme.com");
    const added = await fetch(`${panel}/zones/acme.com/records`, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({
        name: "_service-challenge",
        type: "TXT",
        value: claim.token,
        ttl: "300",
      }),
    });
    expect(added.status).toBe(303);
    const proved = await poll(
      client,
      `/api/claims/${claim.id}`,
      ({ state }) => state !== "pending",
      80,
    );
    expect(proved.state).toBe("proved");
    const { slug } = (await client.post(`/api/claims/${claim.id}/proof_links`)).body as {
      slug: string;
    };
    const page = await fetch(`${URL}/p/${slug}`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(claim.token)]);
    expect(await demo.end("SIGINT")).toBe(0);
  });
});

describe("the archive, in a bare Debian with nothing else", () => {
  const data = "/var/lib/deed";
  const env = { DATA_DIR: data, HOST: "127.0.0.1", DNS_RESOLVERS: "" };
  /** Of the proof in tests/data/deed-0.1.0.db.gz. */
  const slug = "9e2q35b138m1jtt4kx466w49pm";
  let tree: string;
  const deed = (...args: string[]) => runIn(tree, ["deed", ...args], env);
  const serve = () => startIn(tree, ["deed", "serve"], env);
  const outbox = () => {
    const folder = join(tree, data, "outbox");
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .sort()
      .map((name) => readFileSync(join(folder, name), "utf8"));
  };
  const proof = async () => (await fetch(`${URL}/api/proofs/${slug}`)).json();

  beforeAll(() => {
    tree = installed("archive");
    run("install", ["-d", "-m", "700", join(tree, data)]);
    const old = gunzipSync(readFileSync("tests/data/deed-0.1.0.db.gz"));
    writeFileSync(join(tree, data, "deed.db"), old, { mode: 0o600 });
  });

  it("opens a database of 0.1.0 with its proof, backs it up and restores it", async () => {
    const first = serve();
    await answering(first, URL);
    expect(await proof()).toMatchObject({ slug, domain: "acme.com" });
    const client = await signIn({ url: URL, outbox }, "old@holder.example");
    const names = async () => JSON.stringify((await client.get("/api/domains")).body);
    expect(await names()).toContain("acme.com");

    const { stdout: file, status, stderr } = deed("backup");
    expect([status, stderr]).toEqual([0, ""]);
    expect((await client.post("/api/domains", { domain: "later.com" })).status).toBe(201);
    expect(await first.end()).toBe(0);

    expect(deed("restore", file.trim())).toMatchObject({ status: 0, stderr: "" });
    const second = serve();
    await answering(second, URL);
    expect(await names()).toContain("acme.com");
    expect(await names()).not.toContain("later.com");
    expect(await proof()).toMatchObject({ slug, domain: "acme.com" });
    expect(await second.end()).toBe(0);
  });

  it("refuses the database of a newer version with one line, and leaves it as it is", () => {
    const file = join(tree, data, "deed.db");
    const db = new Database(file);
    db.exec("insert into __drizzle_migrations (hash, created_at) values ('newer', 9999999999999)");
    db.pragma("journal_mode = DELETE");
    db.close();
    const before = readFileSync(file);
    const { status, stdout, stderr } = deed("serve");
    expect(status).toBe(78);
    expect(`${stdout}${stderr}`.trim().split("\n")).toEqual([expect.stringMatching(/newer/)]);
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});
