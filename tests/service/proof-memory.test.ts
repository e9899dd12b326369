import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { ProofLink } from "#app/features/proofs/resources.ts";
import { shaped, targetService } from "../contract/kit.ts";

const target = targetService({ RATE_LIMIT_PROOFS: "60/3600" });

async function publish(zone: string) {
  const client = await target().signIn();
  const claim = await target().prove(client, zone);
  const path = `/api/claims/${claim.id}/proof_links`;
  const { slug } = shaped(await client.post(path), 201, ProofLink);
  const places = [`/p/${slug}`, `/api/proofs/${slug}`];
  const ask = (place: string, headers: Record<string, string> = {}, method = "GET") =>
    target().stranger().request(method, place, { headers });
  return { places, ask, slug, revoke: () => client.post(`${path}/${slug}/revoke`) };
}

/** An answer without the parts that differ each time: the date, and a page's time. */
const settled = (text: string) => text.replace(/Page made on .*?<\/time>/, "");
const headersOf = (headers: Headers) =>
  Object.fromEntries(
    [...headers].filter(
      ([name]) => !["date", "content-length", "transfer-encoding"].includes(name),
    ),
  );

it("sends the same again in every encoding, and pages that run no script", async () => {
  const { places, ask } = await publish("acme.com");
  for (const place of places)
    for (const accepted of ["identity", "gzip", "br"]) {
      const headers = { "accept-encoding": accepted };
      const answers = [
        await ask(place, headers),
        await ask(place, headers),
        await ask(place, headers),
      ];
      const [first, ...others] = answers;
      expect(first?.status).toBe(200);
      for (const other of others) {
        expect(settled(other.text)).toBe(settled(first?.text ?? ""));
        expect(headersOf(other.headers)).toEqual(headersOf(first?.headers ?? new Headers()));
      }
      if (place.startsWith("/p/"))
        expect(first?.headers.get("content-security-policy")).toContain("script-src 'none'");
    }
});

it("answers HEAD as ever, and logs each request with * for the slug", async () => {
  const { places, ask, slug } = await publish("acme.com");
  for (const place of places) {
    const [read, head] = [await ask(place), await ask(place, {}, "HEAD")];
    await ask(place);
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers.get("content-type")).toBe(read.headers.get("content-type"));
  }
  const lines = target().own.service.output();
  expect(lines).not.toContain(slug);
  for (const path of ["/p/*", "/api/proofs/*"])
    expect(lines.split(`"path":"${path}"`).length).toBeGreaterThan(3);
});

it("answers 410 at the first request after a revocation, by this process or another", async () => {
  for (const isOwn of [true, false]) {
    const { places, ask, slug, revoke } = await publish("acme.com");
    for (const place of [...places, ...places]) expect((await ask(place)).status).toBe(200);
    if (isOwn) await revoke();
    else {
      const other = new Database(join(target().own.service.dataDir, "deed.db"), { timeout: 5_000 });
      other.prepare("update proof_links set revoked_at = issued_at + 1 where slug = ?").run(slug);
      other.close();
    }
    for (const place of places) expect((await ask(place)).status).toBe(410);
  }
});

it("draws the budget of whoever asks: past it the answer is 429", async () => {
  const { places, ask } = await publish("acme.com");
  const [page = "", json = ""] = places;
  let last = await ask(json);
  for (let i = 0; i < 60 && last.status === 200; i++) last = await ask(json);
  expect(last.status).toBe(429);
  expect(last.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  expect((await ask(page)).status).toBe(429);
});
