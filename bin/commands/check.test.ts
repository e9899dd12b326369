import { type Playground, startPlayground } from "@deed/playground/playground.ts";
import { txt } from "@deed/playground/records.ts";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { run } from "../program.ts";

const TOKEN = `service_v1_${"5e".repeat(20)}`;

let playground: Playground;
beforeAll(async () => {
  playground = await startPlayground();
  playground.addRecord("acme.com", txt("_service-challenge.acme.com", TOKEN));
});
afterAll(() => playground.stop());

/** Runs `deed check` in this process. `onPrint`: called with each line on stdout. */
async function check(args: string[], onPrint = (_: string) => {}) {
  for (const [name, value] of Object.entries(playground.env)) vi.stubEnv(name, value);
  const printed: string[] = [];
  const complaints: string[] = [];
  vi.spyOn(console, "log").mockImplementation((text: string) => {
    printed.push(text);
    onPrint(text);
  });
  vi.spyOn(console, "error").mockImplementation((text: string) => void complaints.push(text));
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    complaints.push(String(text).trim());
    return true;
  });
  const before = process.exitCode;
  process.exitCode = 0;
  await run(["check", ...args]);
  const { exitCode } = process;
  process.exitCode = before;
  return { exitCode, printed: printed.join("\n"), complaints: complaints.join("\n") };
}

it("prints what it read, without a colour where there is no terminal", async () => {
  const { exitCode, printed } = await check(["acme.com", "--token", TOKEN]);
  expect(exitCode).toBe(0);
  expect(printed).toContain("Found: this proves the domain.");
  expect(printed).not.toContain("\x1b");
});

it.each([
  [["acme.com", "--token", TOKEN, "--wait"]],
  [["--wait", "10m", "acme.com", "--token", TOKEN]],
])("waits no longer once the record is found: %j", async (args) => {
  const { exitCode, printed } = await check([...args, "--json"]);
  expect(exitCode).toBe(0);
  expect(printed.split("\n").map((line) => JSON.parse(line).outcome)).toEqual(["found"]);
});

const interrupt = () => setImmediate(() => process.emit("SIGINT"));

it.each([
  ["--watch", "acme.com", 0],
  ["--wait", "globex.com", 1],
])("%s ends on Ctrl-C, with what the last read showed", async (mode, name, expected) => {
  const { exitCode, printed } = await check([name, "--token", TOKEN, mode], (text) => {
    if (text.includes("Nameservers")) interrupt();
  });
  expect(exitCode).toBe(expected);
  expect(printed.match(/^Nameservers/gm)).toHaveLength(1);
});

const GITHUB = ["--record", "_github-challenge-acme.globex.com", "5fd2a1c0de"];

it("--record says why a record is not found, and ends with its time", async () => {
  const { exitCode, printed } = await check([...GITHUB, "--wait", "1s", "--json"]);
  expect(exitCode).toBe(1);
  const [line = ""] = printed.split("\n");
  expect(JSON.parse(line)).toMatchObject({
    ...{ name: "_github-challenge-acme.globex.com", outcome: "absent" },
    record: { type: "TXT", value: "5fd2a1c0de", code: "record_absent", vendor: { name: "GitHub" } },
  });
});

it("names no check later than the end of its time", async () => {
  let endsBy = 0;
  const { printed } = await check([...GITHUB, "--wait", "10s"], (text) => {
    if (!text.includes("next check at")) return;
    endsBy = Date.now() + 10_000;
    interrupt();
  });
  const [, next = ""] = /next check at (\S+)/.exec(printed) ?? [];
  expect(Date.parse(next)).toBeLessThanOrEqual(endsBy);
});

it("--record finds it, also pasted as one line, and says what comes next", async () => {
  const [record, name, value] = ["--record", "_github-challenge-found.globex.com", "5fd2a1c0de"];
  playground.addRecord("globex.com", txt(name, value));
  for (const args of [
    [record, name, value],
    ["--record", `${name}. 300 IN TXT "${value}"`, "--wait", "1m"],
  ]) {
    const { exitCode, printed } = await check(args);
    expect(printed).toContain("Found: on every nameserver. GitHub looks");
    expect(exitCode).toBe(0);
  }
});

it.each([
  [["acme.com", "value"], "A value needs --record"],
  [["--record", "acme.com"], "Type the value"],
  [["--record", "acme.com", "x", "--type", "MX"], "TXT or CNAME"],
  [["a..b"], "two dots in a row"],
  [["\x1b[31m.com"], "\\u{1b}"],
  [[`${`${"a".repeat(60)}.`.repeat(4)}com`], "too long to prove"],
  [["acme.com", "--token", "abc"], "40 hexadecimal digits"],
  [["acme.com", "--wait"], "--wait needs --token"],
  [["acme.com", "--token", TOKEN, "--wait", "1d"], "such as 10m"],
  [["--record", "acme.com", "value", "--token", TOKEN], "choose one"],
  [["acme.com", "--type", "CNAME"], "--type needs --record"],
  [["acme.com", "--token", TOKEN, "--wait", "--watch"], "choose one"],
  [["acme.com", "--nonsense"], "unknown option"],
  [[], "missing required argument"],
])("%j is wrong usage", async (args, reason) => {
  const { exitCode, printed, complaints } = await check(args);
  expect(exitCode).toBe(2);
  expect(printed).toBe("");
  expect(complaints).toContain(reason);
});
