import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import { contract } from "../contract/kit.ts";

/** docs/security.md on React Router 7.18.6 and 8.5.3: their faults, tried on Remix 2 and 6.30 as used here. */
const { it, target } = contract();

const TARGETS = [
  "//evil.example",
  "///evil.example/",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/.//evil.example",
  "https:evil.example",
  "https:\\\\evil.example",
  "javascript:alert(1)",
  "\u0001javascript:alert(1)",
];

/** Sends exactly this request, as no client library would; returns all that comes back. */
async function raw(method: string, path: string, cookie = ""): Promise<string> {
  const { hostname, port, host } = new URL(target().url);
  const socket = connect(Number(port), hostname);
  const head = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n`;
  socket.write(`${head}${cookie && `Cookie: ${cookie}\r\n`}\r\n`);
  return text(socket);
}
const statusOf = (answer: string) => Number(answer.slice(9, 12));
const headOf = (answer: string) => answer.slice(0, answer.indexOf("\r\n\r\n"));
const bodyOf = (answer: string) => answer.slice(answer.indexOf("\r\n\r\n") + 4);

/** Every address in an answer that a browser would follow. */
function addressesIn(answer: string): URL[] {
  const location = /^location: (.*)$/im.exec(headOf(answer))?.[1];
  const inPage = bodyOf(answer).matchAll(/\b(?:href|action|formaction|src)="([^"]*)"/g);
  const given = [...inPage].map(([, address = ""]) => address.replaceAll("&amp;", "&"));
  return [...(location ? [location] : []), ...given].map((one) => new URL(one, target().url));
}

it("leads nowhere else, whatever a path or a query names", async ({ client }) => {
  const paths = TARGETS.flatMap((one) => {
    const escaped = encodeURIComponent(one);
    return [
      ...(/^\/[!-~]+$/.test(one) ? [one, `${one}?x=1`, `/domains${one}`, `/docs${one}/`] : []),
      ...["/sign-in?next=", "/sign-in/sent?next=", "/domains?add=", "/domains?q="].map(
        (at) => at + escaped,
      ),
      ...["/domains?deleted=", "/domains?cursor=", "/notices?cursor="].map((at) => at + escaped),
      ...["/zones/", "/docs/", "/p/", "/h/", "/domains/"].map((at) => at + escaped),
      `/h/${escaped}/back`,
    ];
  });
  expect(statusOf(await raw("GET", "/domains", client.cookie))).toBe(200);
  let seen = 0;
  for (const path of paths)
    for (const cookie of ["", client.cookie]) {
      const answer = await raw("GET", path, cookie);
      expect([path, statusOf(answer)]).toEqual([path, expect.toSatisfy((status) => status < 500)]);
      for (const url of addressesIn(answer)) {
        expect([path, url.protocol]).toEqual([path, expect.stringMatching(/^(?:https?|mailto):$/)]);
        expect([path, url.hostname]).not.toEqual([path, expect.stringContaining("evil")]);
        seen += 1;
      }
    }
  expect(seen).toBeGreaterThan(paths.length);
});

it("answers HEAD with the head of GET and no body, and keeps nothing open", async ({ client }) => {
  const facts = (answer: string) => [
    statusOf(answer),
    /^content-type: .*$/im.exec(headOf(answer))?.[0],
    /^location: .*$/im.exec(headOf(answer))?.[0],
  ];
  const paths = ["/", "/sign-in", "/docs", "/verify", "/p/nothing", "/domains", "/nowhere"];
  for (const path of [...paths, "/.well-known/jwks.json", "/deed-client.tgz", "/api/health"])
    for (const cookie of ["", client.cookie]) {
      const [head, get] = [await raw("HEAD", path, cookie), await raw("GET", path, cookie)];
      expect([path, ...facts(head)]).toEqual([path, ...facts(get)]);
      expect([path, bodyOf(head)]).toEqual([path, ""]);
    }
  const open = () => readdirSync(`/proc/${target().own.service.child.pid}/fd`).length;
  const before = open();
  for (let i = 0; i < 200; i += 1)
    await raw("HEAD", i % 2 ? "/domains" : "/deed-client.tgz", client.cookie);
  await expect.poll(open).toBeLessThan(before + 20);
});
