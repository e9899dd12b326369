import { existsSync, globSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { signIn } from "../support/deed.ts";
import { mailsIn } from "../support/service.ts";
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
  const outbox = () => mailsIn(join(tree, data, "outbox"));

  beforeAll(() => {
    tree = installed("archive");
    run("install", ["-d", "-m", "700", join(tree, data)]);
    const old = gunzipSync(readFileSync("tests/data/deed-0.1.0.db.gz"));
    writeFileSync(join(tree, data, "deed.db"), old, { mode: 0o600 });
  });

  it("opens a database of 0.1.0 with its proof, for whom it belongs to", async () => {
    const service = startIn(tree, ["deed", "serve"], env);
    await answering(service, URL);
    const proof = await fetch(`${URL}/api/proofs/${slug}`);
    expect(await proof.json()).toMatchObject({ slug, domain: "acme.com" });
    const client = await signIn({ url: URL, outbox }, "old@holder.example");
    expect((await client.get("/api/domains")).text).toContain("acme.com");
    expect(await service.end()).toBe(0);
  });
});
