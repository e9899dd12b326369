import { expect, test } from "vitest";
import {
  type LineResult,
  linesError,
  linesOf,
  MAX_LINES,
  refusedLine,
  refusedLines,
} from "./several-lines.ts";

test("a line is a domain, whatever ends it; empty lines count for nothing", () => {
  expect(linesOf("a.example\r\n\r\n  b.example\t\rc.example\n \n")).toEqual([
    "a.example",
    "b.example",
    "c.example",
  ]);
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
  const names = { name: "a.example", unicodeName: "a.example" };
  const done = { ...names, isWwwRemoved: false, href: "/domains/dom_1" };
  const results: LineResult[] = [
    refusedLine("not a name", "A domain cannot contain “ ”."),
    { outcome: "added", ...done },
    { outcome: "known", ...done },
    { outcome: "archived", ...done },
    { outcome: "claimed", ...done },
    refusedLine("203.0.113.7", "This is an IP address."),
  ];
  expect(refusedLines(results)).toBe("not a name\n203.0.113.7");
  expect(refusedLines(results.slice(1, 5))).toBe("");
});

test("a refused line is shown short and with nothing hidden, and stays as it was typed", () => {
  const line = `\u{202e}${"a".repeat(300)}`;
  const result = refusedLine(line, "A domain cannot be longer than 253 characters.");
  expect(result).toMatchObject({ line, shown: `\\u{202e}${"a".repeat(51)}…` });
});
