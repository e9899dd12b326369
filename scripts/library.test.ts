import { execFile } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { silent } from "@deed/dns/testing/faults.ts";
import { LabResolver } from "@deed/dns/testing/https-resolver.ts";
import { delegation, labZone } from "@deed/dns/testing/lab-zone.ts";
import { netOf, TOKEN, World, type WorldSetup } from "@deed/dns/testing/world.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { compile } from "../tests/support/compile.ts";
import { newFolder } from "../tests/support/service.ts";

const MOST_BYTES = 300 * 1024;
/** Minified, for workers, which upload all of it. */
const MOST_BYTES_OF_RESOLVERS = 250 * 1024;
const PORT = 10_000 + (process.pid % 10_000);
const CALLER = `
import { InvalidInput, type Verdict, verify, zone } from "@deed/dns";

const [settings, token, limitMs] = JSON.parse(process.argv[2] ?? "");
const asked = performance.now();
const signal = AbortSignal.timeout(limitMs);
try {
  const verdict: Verdict = await verify({ domain: "acme.test", token }, { ...settings, signal });
  const { outcome, diagnosis } = verdict;
  const name: string | undefined = diagnosis?.code === "record_at_apex" ? diagnosis.observed.name : undefined;
  const read = await zone("acme.test", settings);
  const refused = await verify({ domain: "a..b", token }).catch((error: unknown) => error);
  const field = refused instanceof InvalidInput ? refused.field : null;
  console.log(JSON.stringify({ outcome, name, zone: read.type, field }));
} catch (error) {
  console.log(JSON.stringify({ error: (error as Error).name, ms: performance.now() - asked }));
}
`;

/** The examples of its README. */
const EXAMPLES = [
  ...readFileSync("packages/dns/README.md", "utf8").matchAll(/```[jt]s\n(.*?)```/gs),
];

const call = promisify(execFile);
const folder = newFolder();

/** Runs the compiled caller on this Node, against its own world. */
async function ask(index: number, setup: WorldSetup, limitMs: number) {
  const world = new World(setup, netOf(index), PORT);
  await world.open();
  try {
    const given = JSON.stringify([world.settings, TOKEN, limitMs]);
    const { stdout } = await call(process.execPath, ["caller.js", given], { cwd: folder });
    return JSON.parse(stdout);
  } finally {
    world.close();
  }
}

describe("the library, packed and installed alone", () => {
  let tarball = "";
  beforeAll(async () => {
    tarball = (await call(process.execPath, ["scripts/library.mjs"])).stdout.trim();
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    const quiet = ["--no-audit", "--no-fund", "--offline"];
    await call("npm", ["install", tarball, ...quiet], { cwd: folder });
    const typed = { caller: CALLER, example: EXAMPLES[0]?.[1] ?? "" };
    for (const [name, text] of Object.entries(typed))
      writeFileSync(join(folder, `${name}.ts`), text);
    const strict = {
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
    };
    const types = { types: ["node"], typeRoots: [resolve("node_modules/@types")] };
    const options = { ...strict, ...types, module: "nodenext", target: "es2022" };
    compile([join(folder, "caller.ts"), join(folder, "example.ts")], options);
  }, 300_000);

  it("has at most 300 KB, and needs no other package", () => {
    console.log(`the library: ${statSync(tarball).size} bytes on Node ${process.version}`);
    expect(statSync(tarball).size).toBeLessThanOrEqual(MOST_BYTES);
    expect(readdirSync(join(folder, "node_modules/@deed/dns")).sort()).toEqual([
      ...["LICENSE", "README.md", "index.d.ts", "index.js", "licences.txt", "package.json"],
      ...["resolvers.d.ts", "resolvers.js"],
    ]);
    const alone = statSync(join(folder, "node_modules/@deed/dns/resolvers.js"));
    expect(alone.size).toBeLessThanOrEqual(MOST_BYTES_OF_RESOLVERS);
    const installed = readdirSync(join(folder, "node_modules")).filter((name) => name[0] !== ".");
    expect(installed).toEqual(["@deed"]);
  });

  // packages/dns/library/library.test.ts has what it says.
  it("finds a record", async () => {
    const read = { outcome: "found", zone: "read", field: "domain" };
    expect(await ask(3_910, {}, 60_000)).toMatchObject(read);
  });

  it("runs the examples of its README", async () => {
    expect(EXAMPLES.length).toBeGreaterThanOrEqual(3);
    const hosts = { "ns1.acme.com": ["127.0.0.9"] };
    const zones = [labZone("acme.com", hosts), labZone("com", {}, delegation("acme.com", hosts))];
    const resolver = new LabResolver("r0", zones);
    const world = new World({}, netOf(3_913), PORT);
    await world.open();
    try {
      const given = { ...world.settings, transport: "https", resolvers: [await resolver.listen()] };
      writeFileSync(
        join(folder, "here.js"),
        `import * as dns from "@deed/dns";
        const { transport, resolvers, ...settings } = ${JSON.stringify(given)};
        export const verify = (question) => dns.verify(question, settings);
        export const check = (question) => dns.check(question, { transport, resolvers });
        export const { lastSeen } = dns;
        globalThis.show = (...texts) => console.log(texts.join(" | "));`,
      );
      const printed = await Promise.all(
        EXAMPLES.map(async ([, code = ""], index) => {
          const file = `example-${index}.js`;
          const here = code.replace(/"@deed\/dns(\/resolvers)?"/, '"./here.js"');
          // This world has its token at Deed's own label.
          const own = here
            .replace(', label: "_acme-proof"', "")
            .replace(/"acme-proof-\w+"/, `"${TOKEN}"`)
            .replace('domain: "acme.com"', 'domain: "acme.test"');
          writeFileSync(join(folder, file), own);
          return (await call(process.execPath, [file], { cwd: folder })).stdout.trim();
        }),
      );
      expect(printed[0]).toBe("The domain is theirs.");
      expect(printed[1]).toContain("There is no TXT record at _github-challenge-acme-org.acme.com");
      expect(printed[2]).toBe("");
    } finally {
      world.close();
      resolver.close();
    }
  });

  it("ends when its signal aborts, and so does its program", async () => {
    const { error, ms } = await ask(3_912, { root: { behaviour: silent } }, 2_000);
    expect(error).toBe("TimeoutError");
    // A read that nothing ends has 20 s.
    expect(ms).toBeLessThan(15_000);
  });
});
