import { foundAt } from "@deed/dns/testing/readings.ts";
import { expect, test } from "vitest";
import { call, signedIn } from "#app/api/testing.ts";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import { requestTo, testApp } from "#app/features/sign-in/testing.ts";
import { addSeveral } from "./form-actions.server.ts";
import { linesError, linesOf, MAX_LINES, refusedLine, refusedLines } from "./several-lines.ts";

test("a line is a domain, whatever ends it; empty lines count for nothing", () => {
  const lines = linesOf("a.example\r\n\r\n  b.example\t\rc.example\n \n");
  expect([lines, linesOf(" \n\r\n")]).toEqual([["a.example", "b.example", "c.example"], []]);
});

test("one line to a hundred can be added at once", () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `d${index}.example`);
  expect(linesError([], "")?.message).toBe("Type or paste at least one domain.");
  expect([linesError(lines(1), ""), linesError(lines(MAX_LINES), "")]).toEqual([null, null]);
  const message = "There are 101 lines. Add at most 100 at once.";
  expect(linesError(lines(MAX_LINES + 1), "")).toEqual({ field: "domains", message });
  expect(linesError(lines(1), "cust 42")).toBeNull();
  expect(linesError(lines(1), "cust\u200b42")?.field).toBe("reference");
});

test("only the refused lines stay, in their order", () => {
  const done = { name: "a.example", unicodeName: "a.example", isWwwRemoved: false, href: "/x" };
  const [first, last] = ["not a name", "203.0.113.7"].map((line) => refusedLine(line, "No."));
  if (!first || !last) throw new Error("two lines were refused");
  const added = (["added", "known"] as const).map((outcome) => ({ outcome, ...done }));
  expect(refusedLines([first, ...added, last])).toBe("not a name\n203.0.113.7");
  expect(refusedLines(added)).toBe("");
});

test("a refused line is shown short and with nothing hidden, and stays as it was typed", () => {
  const line = `\u{202e}${"a".repeat(300)}`;
  const result = refusedLine(line, "A domain cannot be longer than 253 characters.");
  expect(result).toMatchObject({ line, shown: `\\u{202e}${"a".repeat(51)}…` });
});

test("each line is listed or proved, as the form asks, or told why not", async () => {
  const app = testApp();
  const cookie = await signedIn(app, "mara@acme.com");
  const { id: accountId } = await accountForEmail(app, "mara@acme.com");
  app.reader.readZone = async () => ({ type: "no_delegation" });
  app.reader.readChallenge = async (question) => foundAt(question, app.clock());
  const byName = async (name: string) => {
    const made = await call(app, "PUT", `/api/domains/by-name/${name}`, { cookie, json: {} });
    return made.body as { domain: { id: string }; claim: { verificationId: string } };
  };
  const post = (path: string) => call(app, "POST", `/api/${path}`, { cookie });
  await post(`domains/${(await byName("shelved.example")).domain.id}/archive`);
  await post(`verifications/${(await byName("proved.example")).claim.verificationId}/runs`);
  const outcomes = async (intent: string, ...lines: string[]) => {
    const request = requestTo(app, "/domains", { method: "POST", cookie });
    const results = await addSeveral(app, request, lines, { accountId, reference: "", intent });
    return results.map((one) => ("isDoubted" in one && one.isDoubted ? "doubted" : one.outcome));
  };
  const pasted = ["one.example", "https://ONE.example./", "no name", "shelved.example"];
  expect(await outcomes("add", ...pasted)).toEqual(["added", "refused", "archived"]);
  expect(await outcomes("add", "one.example", "www.one.example")).toEqual(["known"]);
  const asked = ["one.example", "proved.example", "shelved.example", "localhost", "nobody.example"];
  const told = ["claimed", "proved", "archived", "doubted", "doubted"];
  expect(await outcomes("claim", ...asked)).toEqual(told);
  expect(await outcomes("sure", "nobody.example")).toEqual(["claimed"]);
  const { body } = await call(app, "GET", "/api/claims", { cookie });
  const open = { claims: [{ domain: "nobody.example" }, { domain: "one.example" }] };
  expect({ claims: (body as typeof open).claims.slice(0, 2) }).toMatchObject(open);
});
