import { expect, test } from "vitest";
import { datedResolver } from "../testing/dated-resolver.ts";
import { timeSources } from "./https-time.ts";

const NOON = Date.UTC(2026, 0, 3, 12);
const { signal } = new AbortController();

test.each<[what: string, date: string, isTrusted: boolean, said: number | null]>([
  ["the Date of an answer", new Date(NOON).toUTCString(), true, NOON],
  ["nothing from an invalid Date", "yesterday", true, null],
  ["nothing from an untrusted certificate", new Date(NOON).toUTCString(), false, null],
])("reads %s", async (_, date, isTrusted, said) => {
  const { port, authority, close } = await datedResolver(() => date);
  const one = { name: "one", address: "127.0.0.1", port };
  const secure = { transport: "https", host: null, path: "/dns-query" } as const;
  const sources = timeSources({
    witnesses: [
      { ...one, secure },
      { ...one, name: "two", secure: { ...secure, transport: "tls" } },
      { ...one, name: "three" },
    ],
    ...(isTrusted && { authorities: [authority] }),
  });
  expect(sources.map(({ name }) => name)).toEqual(["the Date of one"]);
  expect(await sources[0]?.ask(signal)).toBe(said);
  expect(await sources[0]?.ask(AbortSignal.abort())).toBeNull();
  close();
});
