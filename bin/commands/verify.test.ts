import { createServer } from "node:http";
import { STATEMENT } from "@deed/receipt/testing/issuer.ts";
import { beforeAll, expect, it, vi } from "vitest";
import { listening } from "#app/core/testing/servers.ts";
import { run } from "../program.ts";
import { askProofLink, proofLinkOf } from "./verify.ts";

const { sub: domain, token, provedAt } = STATEMENT;
const ANSWERS: Record<string, [status: number, body: string, headers?: Record<string, string>]> = {
  same: [200, JSON.stringify({ domain, token, provedAt })],
  other: [200, JSON.stringify({ domain: "other.test", token, provedAt })],
  revoked: [410, "{}"],
  none: [404, "{}"],
  moved: [302, "", { Location: "/api/proofs/same-0123456789abcdef" }],
  long: [200, `"${"x".repeat(70_000)}"`],
};

let iss: string;
beforeAll(async () => {
  const server = createServer((request, response) => {
    const [, name = ""] = /^\/api\/proofs\/(\w+)-/.exec(request.url ?? "") ?? [];
    const [status, body, headers] = ANSWERS[name] ?? [500, ""];
    response.writeHead(status, headers).end(body);
  });
  const { port, stop } = await listening(server);
  iss = `http://127.0.0.1:${port}`;
  return stop;
});

it("asks whether a proof link is still shared, follows no redirect and reads 64 KB at most", async () => {
  const ask = (name: string) =>
    askProofLink(proofLinkOf(`${iss}/p/${name}-0123456789abcdef`), { ...STATEMENT, iss });
  expect(await ask("same")).toEqual({ type: "shared" });
  expect(await ask("other")).toEqual({ type: "another_proof" });
  for (const name of ["revoked", "none"]) expect(await ask(name)).toEqual({ type: "not_shared" });
  for (const name of ["moved", "long", "fault"])
    expect(await ask(name)).toMatchObject({ type: "unreachable" });
});

it("asks nobody whom the receipt does not name", async () => {
  const link = proofLinkOf(`${iss}/p/same-0123456789abcdef`);
  expect(await askProofLink(link, STATEMENT)).toEqual({ type: "another_installation" });
});

it("takes a proof link over https or on this machine, and nothing else", () => {
  const taken = { origin: "https://deed.example", slug: "0123456789abcdef" };
  expect(proofLinkOf("https://deed.example/p/0123456789abcdef")).toEqual(taken);
  for (const text of [
    "http://deed.example/p/0123456789abcdef",
    "https://deed.example/claims/0123456789abcdef",
    "https://deed.example/p/x",
    "ftp://localhost/p/0123456789abcdef",
    "deed.example",
  ])
    expect(() => proofLinkOf(text)).toThrow(/proof link/);
});

it("takes a key that begins as the flag of the version does for a key", async () => {
  const error = vi.spyOn(console, "error").mockImplementation(() => {});
  const write = vi.spyOn(process.stdout, "write").mockImplementation(() => true);
  const before = process.exitCode;
  await run(["verify", "no-such-file", "--key", "-V5t7ANTOWu8mZ2ZJQ4oU4gS5UpV2oFMbVqz2c_rjhE"]);
  const code = process.exitCode;
  process.exitCode = before;
  expect([code, write.mock.calls.length]).toEqual([2, 0]);
  expect(error).toHaveBeenCalledWith(expect.stringContaining("cannot be read"));
});
