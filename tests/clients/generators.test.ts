import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { DomainAndClaim } from "#app/features/by-name/resources.ts";
import { targetService } from "../contract/kit.ts";
import { holderAt, prover, testerAt, until } from "../examples/kit.ts";
import { productVersion } from "../support/product.ts";

/** Every generator from `npm run test:clients` makes a client, which compiles and does the main job. */

// With the first check at the usual time, ten seconds after a claim.
const target = targetService({});
const TOOLS = process.env.CLIENT_TOOLS ?? "";
const FETCH = 'curl -sS -o openapi.json "$DEED_URL/api/openapi-3.0.json"';
const GENERATE = "openapi-generator-cli generate -i openapi.json -o deed";

type Way = { files: Record<string, string>; make: string; compile: string; run: string };

/** The commands and the program on a page of docs/integrate, without the page's `other` way. */
function pageWay(page: string, file: string, compile: string, other = /$^/): Way {
  const text = readFileSync(`docs/integrate/${page}.md`, "utf8")
    .replace(other, "")
    .replaceAll("<version>", productVersion().inNames);
  const blocks = [...text.matchAll(/```(\w+)\n([\s\S]*?)```/g)];
  const commands = blocks
    .filter(([, language]) => language === "sh")
    .map(([, , code = ""]) => code);
  const [, , program = ""] = blocks.find(([, language]) => language !== "sh") ?? [];
  const [settings = "", make = "", runs = "", ...others] = commands;
  expect([settings.match(/\w+(?==)/g), others]).toEqual([["DEED_URL", "DEED_KEY"], []]);
  const lines = runs.trim().split("\n");
  const run = lines.pop() ?? "";
  return { files: { [file]: program }, make, compile: [...lines, compile].join("\n"), run };
}

const program = (name: string) => readFileSync(`tests/clients/programs/${name}`, "utf8");
const TSC = resolve("node_modules/.bin/tsc");
const TYPES = resolve("node_modules/@types");

const WAYS: Record<string, () => Way> = {
  "openapi-generator, Python": () =>
    pageWay("python", "prove.py", ".venv/bin/python -m compileall -q deed-client"),
  "oapi-codegen, Go": () => pageWay("go", "main.go", "go vet ./..."),
  "openapi-typescript": () =>
    pageWay("typescript", "prove.ts", "true", /## By @deed[\s\S]*(?=## By generated)/),
  "openapi-generator, Go": () => ({
    files: { "main.go": program("generated.go") },
    make: `go mod init example.com/prove\n${FETCH}\n${GENERATE} -g go --package-name deed --additional-properties=withGoMod=false\nrm -r deed/test`,
    compile: "go mod tidy\ngo vet . ./deed",
    run: "go run . example.com",
  }),
  "openapi-generator, TypeScript": () => ({
    files: { "prove.ts": program("generated.ts"), "package.json": "{}" },
    make: `${FETCH}\n${GENERATE} -g typescript-fetch`,
    compile: `${TSC} prove.ts --outDir out --strict --target es2022 --module commonjs --typeRoots ${TYPES} --types node`,
    run: "node out/prove.js example.com",
  }),
};

const table: string[] = [];
afterAll(() => console.log(["generator: lines, seconds to make, to compile", ...table].join("\n")));

it.each(Object.entries(WAYS))(
  "%s makes a client that compiles and does the main job by either kind of key",
  async (name, wayOf) => {
    const { files, make, compile, run } = wayOf();
    const folder = resolve(`.cache/clients/${name.replace(/\W+/g, "-")}`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const [file, text] of Object.entries(files)) writeFileSync(`${folder}/${file}`, text);
    const holder = await holderAt(target());
    const env = { ...process.env, PATH: `${TOOLS}:${process.env.PATH}`, ...holder.env };
    const seconds = (command: string) => {
      const from = performance.now();
      const { status, stdout, stderr } = spawnSync("sh", ["-ec", command], {
        cwd: folder,
        env,
        encoding: "utf8",
      });
      expect(status, `${command}\n${stdout.slice(-3_000)}${stderr.slice(-3_000)}`).toBe(0);
      return Math.round((performance.now() - from) / 1_000);
    };
    const made = seconds(make);
    const compiled = seconds(compile);
    const sources = globSync(`${folder}/{deed.ts,{deed,deed-client}/**/*.{go,ts,py}}`);
    const texts = sources
      .filter((file) => statSync(file).isFile())
      .map((file) => readFileSync(file));
    const lines = texts.join("\n").split("\n").length;
    table.push(`${name}: ${lines} lines, ${made} s, ${compiled} s`);

    const domain = `${name.toLowerCase().replace(/\W+/g, "-")}.acme.com`;
    const { asked, printed, ended } = prover(run, domain, folder, env);
    const record = await asked();
    const at = `/domains/by-name/${domain}?reference=customer-1`;
    const { claim } = await holder.call<DomainAndClaim>("GET", at);
    await holder.call("POST", `/verifications/${claim.verificationId}/runs`);
    await until(() => printed().includes(`There is no TXT record at ${record.name}`));
    expect(claim.records).toMatchObject([record]);
    await holder.publish("acme.com", claim);
    expect(await ended).toBe(0);
    expect(printed()).toMatch(/^Proved at \d{4}-\d\d-\d\dT/m);

    const tester = await testerAt(target());
    const tried = prover(run, "proved.test", folder, { ...env, ...tester.env });
    await tried.asked();
    await tester.move(60);
    expect(await tried.ended).toBe(0);
    expect(tried.printed()).toMatch(/^Proved at /m);
  },
);
