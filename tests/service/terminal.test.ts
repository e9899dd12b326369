import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { startPlayground } from "@deed/playground/playground.ts";
import { txt } from "@deed/playground/records.ts";
import { issuerOf, receiptOf, STATEMENT } from "@deed/receipt/testing/issuer.ts";
import { afterAll, describe, expect, it } from "vitest";
import { openOwnDatabase } from "#db/open-own.ts";
import { deedCommand } from "../support/product.ts";
import { listening, newFolder } from "../support/service.ts";

/** Characters that nothing from outside may send to a terminal or a log: they move, hide or reorder text. */
const STEERING = /(?!\n)[\p{Cc}\p{Bidi_Control}\p{Cs}\p{Zl}\p{Zp}]/u;

/** "evil" among every control character that an argument can have, bidi marks and separators. */
const HOSTILE = `evil${String.fromCharCode(
  ...Array.from({ length: 31 }, (_, code) => code + 1).filter((code) => code !== 10),
  ...Array.from({ length: 33 }, (_, code) => code + 0x7f),
  0x61c,
  ...[0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e],
  ...[0x2066, 0x2067, 0x2068, 0x2069],
)}\x1b[2J\x1b[H\u{9b}2J`;
const FORGED = "Good: signed by the domain’s own keys.";
/** The environment that makes Node fail at an event, outside the program's own code. */
function failingAt(event: string) {
  const script = `process.once("${event}", () => { throw new Error(${JSON.stringify(HOSTILE)}) })`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
}
const LINES = `${HOSTILE}\n${FORGED}`;

/** A service that answers like no Deed would. */
const answer = (path: string): string =>
  path.startsWith("/api/health") ? JSON.stringify({ status: LINES, reason: LINES }) : LINES;
const server = createServer((request, response) => response.end(answer(request.url ?? "")));
const origin = await listening(server);
const playground = await startPlayground();
for (const value of [HOSTILE, LINES])
  playground.addRecord("acme.com", txt("_service-challenge.acme.com", value));

const folder = newFolder();
const receipt = receiptOf(issuerOf("evil"), { ...STATEMENT, iss: origin });
writeFileSync(join(folder, "receipt.json"), JSON.stringify(receipt));
const { $client } = openOwnDatabase(join(folder, "deed.db"), () => {});
$client.prepare("insert into accounts (id, email, created_at) values ('acc_1', ?, 0)").run(LINES);
$client.close();
mkdirSync(join(folder, "dot-env"));
writeFileSync(join(folder, "dot-env", ".env"), `DATA_DIR="${LINES}"\n`);
afterAll(async () => {
  await playground.stop();
  server.close();
});

type Case = { env?: Record<string, string>; cwd?: string };

function printed(args: string[], { env = {}, cwd = "" }: Case = {}): Promise<Buffer> {
  const options = {
    cwd: join(folder, cwd),
    env: {
      NODE_ENV: "production" as const,
      PATH: process.env.PATH,
      DATABASE_PATH: join(folder, "deed.db"),
      ...env,
    },
    encoding: "buffer" as const,
    timeout: 60_000,
  };
  return new Promise((resolve) => {
    execFile(deedCommand(), args, options, (_, out, err) => resolve(Buffer.concat([out, err])));
  });
}
const utf8 = (bytes: Uint8Array) => new TextDecoder("utf-8", { fatal: true }).decode(bytes);
const LINK = `${origin}/p/0123456789abcdef`;
const AT_PORT = { HOST: "127.0.0.1", PORT: new URL(origin).port };

/** Commands that print outside text: from arguments, settings, files, DNS and others' answers. */
const CASES: [says: string, args: string[], more?: Case][] = [
  ["an unknown command", [HOSTILE]],
  ["an option's value", ["backup", "--keep", HOSTILE]],
  ["a receipt's path", ["verify", LINES]],
  ["an installation's answer", ["verify", "receipt.json", "--online", LINK]],
  ["the same, in JSON", ["verify", "receipt.json", "--online", LINK, "--json"]],
  ["records of others", ["check", "acme.com"], { env: playground.env }],
  ["accounts", ["users", "list"]],
  ["settings", ["config"], { env: { DATA_DIR: LINES } }],
  [".env", ["config"], { cwd: "dot-env" }],
  ["a secret's file", ["serve"], { env: { SESSION_SECRET_FILE: LINES } }],
  ["a place, examined", ["doctor"], { env: { DATABASE_PATH: LINES } }],
  ["what answers at its port", ["health"], { env: AT_PORT }],
  ["a backup's path", ["backup", HOSTILE]],
  ["an error that nothing caught", ["version"], { env: failingAt("beforeExit") }],
];

describe("no command lets what it prints from outside steer a terminal or forge a line", () => {
  it.each(CASES)("%s", async (_, args, more) => {
    const text = utf8(await printed(args, more));
    expect(text).toMatch(/evil/);
    expect(text.match(STEERING)).toBeNull();
    expect(text.split("\n").filter((line) => line.startsWith(FORGED))).toEqual([]);
  });

  it("and JSON keeps the value", async () => {
    const env = { DATA_DIR: join(folder, LINES) };
    const settings = JSON.parse(utf8(await printed(["config", "--json"], { env })));
    expect(settings).toContainEqual({ name: "DATA_DIR", value: env.DATA_DIR, from: "environment" });
  });
});
