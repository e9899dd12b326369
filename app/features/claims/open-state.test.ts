import type { Diagnosis } from "@deed/dns/verdict/diagnosis.ts";
import { describe, expect, test } from "vitest";
import { HOUR, iso } from "#app/core/time.ts";
import { causeOf, openState } from "./open-state.server.ts";

const OPENED = Date.UTC(2026, 2, 12, 14);

type Seen = Pick<Diagnosis, "code" | "observed"> & Partial<Pick<Diagnosis, "awaits">>;
const nxdomain = { type: "nxdomain" } as const;
const ABSENT: Seen = { code: "record_absent", observed: { answer: nxdomain, nearMiss: null } };
const SERIAL = { serial: 7, unchanged: true } as const;
const MISSING = { nameservers: ["ns1.example"], publishedOn: [], ...SERIAL };
const NOT_SAVED: Seen = { code: "not_published", observed: MISSING };
const SPF = { values: ["v=spf1 -all"], wildcard: true };
const WILDCARD: Seen = { code: "no_matching_record", observed: SPF };

type Given = Partial<Parameters<typeof openState>[0]>;
const shown = (diagnosis: Seen | null, given: Given = {}, after = HOUR - 1) => {
  const claim = { createdAt: iso(OPENED), waitEstimate: null, wasSeen: () => false };
  const found = diagnosis && { awaits: "claimant" as const, ...diagnosis };
  return openState({ ...claim, diagnosis: found, ...given }, OPENED + after);
};

describe("an open claim is shown", () => {
  test.each([null, ABSENT, NOT_SAVED, WILDCARD])("as waiting in the first hour: %j", (diagnosis) =>
    expect(shown(diagnosis)).toBe("waiting_for_record"),
  );

  test("as needing somebody once the hour is over, or a record was seen and is gone", () => {
    expect(shown(ABSENT, {}, HOUR)).toBe("needs_you");
    expect(shown(NOT_SAVED, {}, HOUR)).toBe("needs_you");
    expect(shown(ABSENT, { wasSeen: () => true })).toBe("needs_you");
  });

  test("as needing somebody at once where a parked domain, or the registry, calls for something else", () => {
    const parked = { as: "expired" as const, nameservers: ["ns1.renewyourname.net"] };
    const observed = { answer: nxdomain, nearMiss: null, parked };
    expect(shown({ code: "record_absent", observed })).toBe("needs_you");
    expect(shown(WILDCARD, { registry: { fix: "Renew acme.com." } })).toBe("needs_you");
    expect(shown(WILDCARD, { registry: { fix: null } })).toBe("waiting_for_record");
  });

  const nearMiss = { kind: "no_underscore", name: "service-challenge.acme.com" } as const;
  test.each<Seen>([
    { code: "record_absent", observed: { answer: nxdomain, nearMiss } },
    { code: "domain_appended", observed: { name: "_service-challenge.acme.com.acme.com" } },
    { code: "no_matching_record", observed: { values: ["another"], wildcard: false } },
    { code: "cname_conflict", observed: { target: "elsewhere.example" } },
    { code: "servfail", observed: { resolvers: ["Quad9"], extendedErrors: [] } },
    { code: "lame_delegation", observed: { nameservers: [] } },
    { code: "not_published", observed: { ...MISSING, publishedOn: ["ns2.example"] } },
  ])("as needing somebody at once where more than absence was seen: $code", (diagnosis) =>
    expect(shown(diagnosis)).toBe("needs_you"),
  );

  test("as waiting for DNS where the advice is to wait, unless the registry gives other advice", () => {
    const observed = { resolvers: ["Quad9"], extendedErrors: [] };
    const unsigned: Seen = { code: "servfail", awaits: "resolvers", observed };
    expect(shown(unsigned)).toBe("waiting_for_dns");
    expect(shown(unsigned, { registry: { fix: "Renew acme.com." } })).toBe("needs_you");
  });

  test("as confirming where only the second read is missing, and as waiting before the first", () => {
    const observed = { nameservers: [], publishedOn: ["ns1.example"], secondRead: true as const };
    const wait = { reason: "nameserver_sync", secondsRemaining: 60, observed } as const;
    expect(shown(null, { waitEstimate: wait })).toBe("confirming");
    const first = { reason: "first_check", secondsRemaining: 0 } as const;
    expect(shown(null, { waitEstimate: first }, HOUR)).toBe("waiting_for_record");
  });

  const TIME = ["negative_cache", "nameserver_sync", "retry"] as const;
  test.each(TIME)(
    "as waiting for DNS where only time is needed, or DNS is out of reach: %s",
    (reason) => {
      const waitEstimate = { reason, secondsRemaining: 60 };
      for (const wasSeen of [true, false])
        expect(shown(null, { waitEstimate, wasSeen: () => wasSeen })).toBe("waiting_for_dns");
      expect(shown(null, {}, HOUR)).toBe("waiting_for_dns");
    },
  );
});

test("where nothing was published yet, its cause is that, whatever the zone shows", () => {
  for (const nothing of [ABSENT, NOT_SAVED, WILDCARD])
    expect(causeOf(nothing)).toBe("no record yet");
  const elsewhere: Seen = { code: "not_published", observed: { ...MISSING, publishedOn: ["ns2"] } };
  expect(causeOf(elsewhere)).toBe("Some nameservers lack the record");
});
