import { expect, test } from "vitest";
import { linesError, linesOf, MAX_LINES, refusedLine, refusedLines } from "./several-lines.ts";

test("a line is a domain, whatever ends it; empty lines count for nothing", () => {
  const lines = linesOf("a.example\r\n\r\n  b.example\t\rc.example\n \n");
  expect(lines).toEqual(["a.example", "b.example", "c.example"]);
  expect(linesOf(" \n\r\n")).toEqual([]);
});

test("one line to a hundred can be added at once", () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `d${index}.example`);
  expect(linesError([], "")?.message).toBe("Type or paste at least one domain.");
  expect(linesError(lines(1), "")).toBeNull();
  expect(linesError(lines(MAX_LINES), "")).toBeNull();
  expect(linesError(lines(MAX_LINES + 1), "")).toEqual({
    field: "domains",
    message: "These are 101 lines. Add at most 100 at once.",
  });
  expect(linesError(lines(1), "cust 42")).toBeNull();
  expect(linesError(lines(1), "cust\u200b42")?.field).toBe("reference");
});

test("only the refused lines stay, in their order", () => {
  const done = { name: "a.example", unicodeName: "a.example", isWwwRemoved: false, href: "/x" };
  const [first, last] = ["not a name", "203.0.113.7"].map((line) => refusedLine(line, "No."));
  if (!first || !last) throw new Error("two lines were refused");
  const added = [
    { outcome: "added", ...done },
    { outcome: "known", ...done },
  ] as const;
  expect(refusedLines([first, ...added, last])).toBe("not a name\n203.0.113.7");
  expect(refusedLines(added)).toBe("");
});

test("a refused line is shown short and with nothing hidden, and stays as it was typed", () => {
  const line = `\u{202e}${"a".repeat(300)}`;
  const result = refusedLine(line, "A domain cannot be longer than 253 characters.");
  expect(result).toMatchObject({ line, shown: `\\u{202e}${"a".repeat(51)}…` });
});
