import { existsSync, globSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { signIn } from "../support/deed.ts";
import { answering, installed, run, runIn, startIn, TARBALL, VERSION } from "./tree.ts";

const URL = "http://localhost:3000";

describe("the npm tarball, in a bare Debian with Node and npm and without a network", () => {
  let tree: string;
  beforeAll(() => {
    tree = installed("tarball");
  });

  it("brings no other package, no source and no test", () => {
    expect(statSync(TARBALL).size).toBeLessThanOrEqual(8_500_000);
    const folder = join(tree, "usr/local/lib/node_modules");
    expect(readdirSync(folder).sort()).toEqual(["deed-server", "npm"]);
    const files = readdirSync(join(folder, "deed-server"), { recursive: true }).map(String);
    expect(files.filter((name) => /\.tsx?$|(^|\/)(tests?|node_modules)(\/|$)/.test(name))).toEqual(
      [],
    );
    expect(runIn(tree, ["deed", "version"]).stdout.replace("+", ".")).toContain(VERSION);
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
});

describe("the archive, in a bare Debian with nothing else", () => {
  const data = "/var/lib/deed";
  const env = { DATA_DIR: data, HOST: "127.0.0.1", DNS_RESOLVERS: "" };
  /** The slug of the proof in tests/data/deed-0.1.0.db.gz. */
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
});
