import { arbitraryObservation } from "@deed/dns/testing/arbitrary-observation.ts";
import * as seen from "@deed/dns/testing/observations.ts";
import { evidenceOf } from "@deed/dns/verdict/evidence.ts";
import type { Exchange, Observation } from "@deed/dns/verdict/observation.ts";
import { canonicalJson } from "@deed/receipt/statement.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readFactsOf } from "./issue.server.ts";

const { NAME, observation, server, TOKEN, values, witness } = seen;

const statement = (change: Partial<Observation> = {}) =>
  readFactsOf(evidenceOf(observation(change)), true);

const exchange = (change: Partial<Exchange>): Exchange => ({
  ...{ server: "ns1.dns.test", address: "192.0.2.1", transport: "udp", at: 0, latencyMs: 3 },
  ...{ question: { name: NAME, type: "TXT" }, result: "answered", rcode: "NOERROR" },
  ...{ aa: true, ad: false, tc: false },
  ...change,
});

describe("a statement", () => {
  it("says of each nameserver what was asked of it and what came back, over which transport", () => {
    const { nameservers } = statement({
      servers: [
        server("ns1.dns.test", values(TOKEN)),
        server("ns2.dns.test", "timeout"),
        server("ns3.dns.test", "no_address"),
        { ...server("ns4.dns.test", "blocked_address"), address: "10.0.0.1" },
        { ...server("ns5.dns.test", "tcp_refused"), answer: values(TOKEN) },
        server("ns6.dns.test", values("other")),
      ],
      exchanges: [
        exchange({}),
        exchange({ transport: "tcp" }),
        exchange({ transport: "tcp", question: { name: "acme.com", type: "NS" }, at: 1 }),
        exchange({ server: "ns2.dns.test", result: "timeout" }),
      ],
    });
    const address = "192.0.2.1";
    const silent = { answered: false, held: false, transport: null };
    expect(nameservers).toEqual([
      { name: "ns1.dns.test", address, asked: true, answered: true, held: true, transport: "tcp" },
      { name: "ns2.dns.test", address, asked: true, ...silent },
      { name: "ns3.dns.test", address: null, asked: false, ...silent },
      { name: "ns4.dns.test", address: "10.0.0.1", asked: false, ...silent },
      { name: "ns5.dns.test", address, asked: true, ...silent },
      { name: "ns6.dns.test", address, asked: true, answered: true, held: false, transport: "udp" },
    ]);
  });

  it("says of each witness over which transport it was asked, and whether it agreed", () => {
    const { witnesses } = statement({
      witnesses: [
        witness("quad9", values(TOKEN)),
        { ...witness("own", values()), ad: false },
        witness("silent", "timeout"),
      ],
      exchanges: [
        exchange({ server: "quad9", address: "192.0.2.53", transport: "https" }),
        exchange({ server: "own", address: "192.0.2.53", transport: "udp" }),
        exchange({ server: "silent", address: "192.0.2.53", transport: "tls", result: "timeout" }),
      ],
    });
    expect(witnesses).toEqual([
      { name: "quad9", transport: "https", agreed: true, ad: true },
      { name: "own", transport: "udp", agreed: false, ad: false },
      { name: "silent", transport: "tls", agreed: false, ad: false },
    ]);
  });

  it("is as strong as its weakest part", () => {
    const of = (change: Partial<Observation>) => {
      const { dnssec, assurance } = statement(change);
      return `${dnssec} ${assurance}`;
    };
    const agreeing = [witness("one", values(TOKEN)), witness("two", values(TOKEN))];
    const divided = [witness("one", values(TOKEN)), witness("two", "timeout")];
    expect(of({ validation: { verdict: "secure" }, witnesses: divided })).toBe("secure dnssec");
    const unsigned = { type: "unsigned", zone: "acme.com", parent: "com" } as const;
    const insecure = { verdict: "insecure", reason: unsigned } as const;
    expect(of({ validation: insecure, witnesses: agreeing })).toBe("insecure witnessed");
    const bogus = { verdict: "bogus", reason: { type: "not_canonical" } } as const;
    expect(of({ validation: bogus, witnesses: agreeing })).toBe("indeterminate witnessed");
    const unknown = { verdict: "indeterminate", reason: { type: "no_anchor" } } as const;
    expect(of({ validation: unknown, witnesses: divided })).toBe("indeterminate nameservers");
    expect(of({ witnesses: [] })).toBe("insecure nameservers");
  });

  it("can be made of any evidence, which has canonical text", () => {
    fc.assert(
      fc.property(arbitraryObservation, (one) => {
        const evidence = JSON.parse(JSON.stringify(evidenceOf(one)));
        const text = canonicalJson(evidence);
        // A download of the evidence parses it and writes it again.
        expect(JSON.stringify(JSON.parse(text))).toBe(text);
        expect(JSON.parse(canonicalJson(readFactsOf(evidence, true)))).toMatchObject({
          rule: "deed-proof/3",
        });
      }),
    );
  });
});
