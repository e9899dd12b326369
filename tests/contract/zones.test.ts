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
  const fresh = (name: string) => {
    if (isByTestKey) return known("acme.com");
    const nameservers = ["dns1.registrar-servers.com", "dns2.registrar-servers.com"];
    target().own.playground.addZone({ name, nameservers, records: siteRecords(name) });
    return name;
  };

  it(says("C11.11"), async () => {
    const name = fresh("cached.example");
    const reader = await target().reader();
    const first = await read(name, reader);
    expect(first.delegation.cached).toBe(false);
    const before = target().own.playground.received();
    const second = await read(name, reader);
    expect(second.delegation).toEqual({ ...first.delegation, cached: true });
    expect(second.publishing).toEqual(first.publishing);
    expect(target().own.playground.received()).toBe(before);
  });

  it(says("C11.12"), async () => {
    const before = target().own.playground.received();
    await read(fresh("alone.example"));
    const alone = target().own.playground.received() - before;
    expect(alone).toBeGreaterThan(0);
    const name = fresh("crowd.example");
    const start = target().own.playground.received();
    await Promise.all(Array.from({ length: 20 }, () => read(name)));
    expect(target().own.playground.received() - start).toBeLessThanOrEqual(alone + 2);
  });

  it(says("C11.7"), async () => {
    const { playground } = target().own;
    const name = fresh("left.example");
    for (const host of ["dns1.registrar-servers.com", "dns2.registrar-servers.com"])
      playground.setServerFault(host, { delayMs: 700 }, name);
    const leaving = new AbortController();
    const path = `/api/zones/${name}`;
    const headers = (await target().reader()).identityFor(path);
    const before = playground.received();
    const asked = fetch(target().url + path, { headers, signal: leaving.signal });
    await expect.poll(() => playground.received(), { timeout: 5_000 }).toBeGreaterThan(before);
    leaving.abort();
    await expect(asked).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 150));
    const after = playground.received();
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(playground.received()).toBe(after);
  });
});
