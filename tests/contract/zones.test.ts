import { siteRecords } from "@deed/playground/samples.ts";
import { describe, expect, it } from "vitest";
import { DelegationFrame, PublishingFrame } from "#app/features/zones/resources.ts";
import type { Client } from "../support/deed.ts";
import { frames } from "../support/stream.ts";
import { isByTestKey, known } from "./by-test-key.ts";
import { expectError, targetService } from "./kit.ts";
import { says } from "./sentences.ts";

const target = targetService();

const read = async (name: string, by?: Client) => {
  const reader = by ?? (await target().reader());
  const answer = await reader.get(`/api/zones/${encodeURIComponent(name)}`);
  expect(answer.status, answer.text).toBe(200);
  const [delegation, publishing] = frames(answer.text);
  return {
    answer,
    delegation: DelegationFrame.parse(delegation?.data),
    publishing: PublishingFrame.parse(publishing?.data),
  };
};

describe("the stream", () => {
  it(says("C11.2", "C11.1", "C11.8"), async () => {
    const { answer, delegation, publishing } = await read(known("acme.com"));
    expect(answer.headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect(answer.headers.get("cache-control")).toBe("no-cache, no-transform");
    expect(frames(answer.text).map(({ event }) => event)).toEqual(["delegation", "publishing"]);
    expect(delegation.nameservers).toEqual(
      isByTestKey
        ? ["ns1.dns.test", "ns2.dns.test"]
        : ["ns61.domaincontrol.com", "ns62.domaincontrol.com"],
    );
    expect(publishing.negativeCacheTtlSeconds).toBe(isByTestKey ? 3_600 : 60);
  });

  it(`${says("C11.8")}: a name below the cut reads its zone`, async () => {
    const { delegation } = await read("shop.initech.com");
    expect(delegation.nameservers).toEqual(["ns-101.awsdns-12.com", "ns-202.awsdns-25.com"]);
  });

  it(says("C3.2"), async () => {
    const { delegation } = await read(" HTTPS://user@*.WWW.Bücher.example.:8443/path ");
    expect(delegation.domain).toMatchObject({
      ascii: "xn--bcher-kva.example",
      unicode: "bücher.example",
    });
    const order = [
      "trimmed",
      "scheme_removed",
      "userinfo_removed",
      "path_removed",
      "port_removed",
      "trailing_dot_removed",
      "wildcard_removed",
      "challenge_label_removed",
      "lowercased",
      "idna_mapped",
      "punycode_encoded",
      "www_removed",
    ];
    const { normalisations } = delegation.domain;
    expect(normalisations).toEqual(order.filter((step) => normalisations.includes(step)));
    for (const step of [
      "trimmed",
      "scheme_removed",
      "path_removed",
      "punycode_encoded",
      "www_removed",
    ])
      expect(normalisations).toContain(step);
  });

  it(`${says("C3.7")}, for a suffix`, async () => {
    const { delegation } = await read("com");
    expect(delegation.domain.isPublicSuffix).toBe(true);
  });
});

describe("failing", () => {
  it(says("C11.6"), async () => {
    const reader = await target().reader();
    for (const name of ["-", "192.0.2.1", "a".repeat(254), "%zz"])
      expectError(await reader.get(`/api/zones/${name}`), "invalid_domain");
    expectError(await reader.get("/api/zones/unlisted.example"), "no_delegation");
  });

  it(`${says("C11.6")}: unresolvable`, async () => {
    const reader = await target().reader();
    const { playground } = target().own;
    const zone = "unreadable.example";
    const nameservers = ["ns1.hosting.example", "ns2.hosting.example"];
    playground.addZone({ name: zone, nameservers, records: siteRecords(zone) });
    for (const host of nameservers) playground.setServerFault(host, "servfail", zone);
    expectError(await reader.get(`/api/zones/${zone}`), "unresolvable");
  });
});

describe("sharing", () => {
  it(says("C11.11"), async () => {
    const { zone, asked } = await target().countedZone();
    const reader = await target().reader();
    const first = await read(zone, reader);
    expect(first.delegation.cached).toBe(false);
    const before = asked();
    const second = await read(zone, reader);
    expect(second.delegation).toEqual({ ...first.delegation, cached: true });
    expect(second.publishing).toEqual(first.publishing);
    expect(asked()).toBe(before);
  });

  it(says("C11.12"), async () => {
    const [one, many] = [await target().countedZone(), await target().countedZone()];
    await read(one.zone);
    expect(one.asked()).toBeGreaterThan(0);
    await Promise.all(Array.from({ length: 20 }, () => read(many.zone)));
    expect(many.asked()).toBeLessThanOrEqual(one.asked() + 2);
  });

  it(says("C11.7"), async () => {
    const { zone, host, asked } = await target().countedZone();
    target().own.playground.setServerFault(host, { delayMs: 700 });
    const leaving = new AbortController();
    const path = `/api/zones/${zone}`;
    const headers = (await target().reader()).identityFor(path);
    const answer = fetch(target().url + path, { headers, signal: leaving.signal });
    await expect.poll(asked, { timeout: 30_000 }).toBeGreaterThan(0);
    leaving.abort();
    await expect(answer).rejects.toThrow();
    const before = asked();
    // Longer than the answer takes after which a read asks more.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(asked()).toBe(before);
  });
});
