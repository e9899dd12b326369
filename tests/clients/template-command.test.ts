import { spawnSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connectTemplate } from "#app/services/connect/template.ts";
import { deedCommand } from "../support/product.ts";
import { describeKnot, type KnotZones, startKnotZones } from "./knot-zones.ts";

const HOST = "deed.example";
const ADDRESS = "127.0.0.4";

describeKnot("deed domain-connect template, with its zone on knot", () => {
  let knot: KnotZones;
  let env: Record<string, string>;
  beforeAll(async () => {
    const delegation = `${HOST}. 300 IN NS ns1.${HOST}.\nns1.${HOST}. 300 IN A ${ADDRESS}`;
    knot = await startKnotZones({ [`${HOST}.`]: "", ".": delegation }, ADDRESS);
    const hints = join(knot.folder, "hints");
    writeFileSync(hints, `. 3600000 NS ns1.\nns1. 3600000 A ${ADDRESS}\n`);
    env = {
      BASE_URL: `https://${HOST}`,
      DATA_DIR: join(knot.folder, "data"),
      DNS_ROOT_HINTS: hints,
      DNS_PORT: String(knot.port),
      DNS_ALLOW_ADDRESSES: "127.0.0.0/8",
      DNS_RESOLVERS: "",
    };
  });
  afterAll(() => knot.stop());

  const deed = (given: Record<string, string> = {}) => {
    const { status, stdout, stderr } = spawnSync(deedCommand(), ["domain-connect", "template"], {
      cwd: knot.folder,
      env: { NODE_ENV: "production", PATH: process.env.PATH, ...env, ...given },
      encoding: "utf8",
      timeout: 60_000,
    });
    return { status, stdout, stderr };
  };

  it("writes the template and the key, and ends with 0 once the records are published", () => {
    const first = deed();
    expect(first).toMatchObject({
      status: 3,
      stderr: expect.stringContaining("2 of these 2 records are not published yet."),
    });
    const file = join(knot.folder, `${HOST}.domain-proof.json`);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(
      connectTemplate({
        baseUrl: `https://${HOST}`,
        challengeLabel: "_service-challenge",
        tokenPrefix: "service_v1_",
      }),
    );
    expect(statSync(join(env.DATA_DIR ?? "", "domain-connect-key")).mode & 0o777).toBe(0o600);

    const lines = first.stdout.split("\n").filter((line) => / IN TXT "/.test(line));
    expect(lines.length).toBe(2);
    const publish = (line = "") =>
      knot.update(`zone ${HOST}.\nupdate add ${line.replace(" IN ", " ")}\nsend`);
    expect(publish(lines[0])).toEqual({ status: 0, stderr: "" });
    expect(deed().stderr).toContain("1 of these 2 records are not published yet.");
    expect(publish(lines[1])).toEqual({ status: 0, stderr: "" });
    const last = deed();
    expect(last).toMatchObject({ status: 0, stderr: "" });
    expect(last.stdout).toContain("The key is published.");
    expect(last.stdout.split("\n").filter((line) => / IN TXT "/.test(line))).toEqual(lines);

    publish(lines[1]?.replace("p=2", "p=3"));
    expect(deed()).toMatchObject({
      status: 3,
      stderr: expect.stringContaining("There are other TXT records at "),
    });
  });

  it("refuses an installation that providers cannot know", () => {
    expect(deed({ BASE_URL: "http://localhost:3000" })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("BASE_URL must start with https://."),
    });
  });
});
