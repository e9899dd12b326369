import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { expect, it } from "vitest";
import { parseEnvironment, VARIABLES } from "#app/environment/env.server.ts";
import { newFolder } from "../support/service.ts";

const page = readFileSync("docs/cluster.md", "utf8");
const [, settings = ""] = /```sh\n([^`]*\nLITEFS_LEASE=[^`]*)```/.exec(page) ?? [];

const folder = newFolder();
const file = join(folder, "deed.env");
writeFileSync(file, settings);

/** systemd.exec(5), EnvironmentFile: comments on their own lines, quotes around a whole value, no expansion. */
function bySystemd(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !/^\s*[#;]/.test(line));
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = "", value = ""] = /^([A-Z_]+)=(.*)$/.exec(line) ?? [];
      const [, quoted] = /^"([^"\\]*)"$/.exec(value) ?? [];
      return [name, quoted ?? value.trim()];
    }),
  );
}

function byShell(path: string, wanted: string[]): Record<string, string> {
  const { stdout, stderr } = spawnSync("sh", ["-c", 'set -a; . "$0"; env -0', path], {
    env: { NODE_ENV: "production", PATH: process.env.PATH },
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  const all = Object.fromEntries(stdout.split("\0").map((line) => line.split(/=(.*)/s)));
  return Object.fromEntries(wanted.map((name) => [name, all[name]]));
}

it(".env.example sets nothing, has every variable that an operator sets, and can be read by systemd, the shell and Node alike", () => {
  const example = readFileSync(".env.example", "utf8");
  expect(parseEnv(example)).toEqual({});
  const all = example.replaceAll(/^# ([A-Z_]+=)/gm, "$1");
  const uncommented = join(folder, "all.env");
  writeFileSync(uncommented, all);
  const read = parseEnv(all);
  expect(VARIABLES.filter((name) => name !== "NODE_ENV" && !(name in read))).toEqual([]);
  expect(bySystemd(all)).toEqual(read);
  expect(byShell(uncommented, Object.keys(read))).toEqual(read);
});

it("gives a cluster settings that systemd and the shell read alike, and Deed accepts once the secrets are in", () => {
  const read = bySystemd(settings);
  expect(byShell(file, Object.keys(read))).toEqual(read);
  const secrets = {
    SESSION_SECRET: "s".repeat(32),
    SIGNING_KEY: "5".repeat(64),
    CLUSTER_SECRET: "c".repeat(32),
  };
  const { cluster, HOST, MAIL_FROM } = parseEnvironment({ ...read, ...secrets });
  expect(MAIL_FROM).toBe("Deed <deed@example.org>");
  expect(cluster?.nodes).toContain(cluster?.address);
  expect(HOST).toBe(cluster?.address);
});

it("docs/operate/configuration.md has a row for every variable, and for no other", () => {
  const [table = ""] = readFileSync("docs/operate/configuration.md", "utf8").split("## Secrets");
  const names = [...table.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name);
  expect(names.toSorted()).toEqual(VARIABLES.toSorted());
});

it("compose.https.yaml tells Caddy BASE_URL alone, out of the file that its commands name", () => {
  const file = readFileSync("compose.https.yaml", "utf8");
  const [, caddy = ""] = file.split(/^ {2}caddy:$/m);
  expect(caddy).not.toMatch(/^ *(?:env_file|environment|secrets|configs):/m);
  expect(file.match(/\$\{?\w+/g)).toEqual(["${BASE_URL"]);
  expect(file).toContain("${BASE_URL:?");
  for (const page of ["compose.yaml", "docs/operate/install.md"]) {
    const commands = readFileSync(page, "utf8").match(/docker compose .* compose\.https\.yaml/g);
    expect([page, commands]).toEqual([page, [expect.stringContaining(" --env-file deed.env ")]]);
  }
});
