import type { Diagnosis } from "@deed/dns/verdict/diagnosis.ts";
import { describe, expect, test } from "vitest";
import { openState } from "./open-state.server.ts";

const OPENED = "2026-03-12T14:00:00.000Z";
const LATER = "2026-03-12T14:59:59.999Z";
const HOUR_LATER = "2026-03-12T15:00:00.000Z";

type Seen = Pick<Diagnosis, "code" | "observed">;
const ABSENT = {
  code: "record_absent",
  observed: { answer: { type: "nxdomain" }, nearMiss: null },
} as const satisfies Seen;
const NOT_SAVED = {
  code: "not_published",
  observed: { nameservers: ["ns1.example"], publishedOn: [], serial: 7, unchanged: true },
} as const satisfies Seen;
const WILDCARD = {
  code: "no_matching_record",
  observed: { values: ["v=spf1 -all"], wildcard: true },
} as const satisfies Seen;

const shown = (diagnosis: Seen | null, now = LATER, wasSeen = false) =>
  openState(
    {
      waitEstimate: null,
      diagnosis,
      createdAt: OPENED,
      wasSeen,
    },
    now,
  );

describe("an open claim is shown", () => {
  test.each([null, ABSENT, NOT_SAVED, WILDCARD])(
    "as waiting for its record in the first hour where only absence was seen",
    (diagnosis) => {
      expect(shown(diagnosis)).toBe("waiting_for_record");
    },
  );

  test("as needing somebody once the hour is over", () => {
    expect(shown(ABSENT, HOUR_LATER)).toBe("needs_you");
    expect(shown(NOT_SAVED, HOUR_LATER)).toBe("needs_you");
  });

  test("as needing somebody once a record was seen and is gone", () => {
    expect(shown(ABSENT, LATER, true)).toBe("needs_you");
  });

  test.each<Seen>([
    {
      code: "record_absent",
      observed: {
        answer: { type: "nxdomain" },
        nearMiss: { kind: "no_underscore", name: "service-challenge.acme.com" },
      },
    },
    { code: "domain_appended", observed: { name: "_service-challenge.acme.com.acme.com" } },
    { code: "no_matching_record", observed: { values: ["another"], wildcard: false } },
    { code: "cname_conflict", observed: { target: "elsewhere.example" } },
    { code: "servfail", observed: { resolvers: ["Quad9"], extendedErrors: [] } },
    { code: "lame_delegation", observed: { nameservers: [] } },
    {
      code: "not_published",
      observed: { nameservers: ["ns1.example"], publishedOn: ["ns2.example"], serial: 7 },
    },
  ])("as needing somebody at once where more than absence was seen: $code", (diagnosis) => {
    expect(shown(diagnosis)).toBe("needs_you");
  });

  test.each(["negative_cache", "nameserver_sync", "retry"] as const)(
    "as waiting for DNS where only time is needed, or DNS is out of reach: %s",
    (reason) => {
      const waitEstimate = { reason, secondsRemaining: 60 };
      for (const wasSeen of [true, false])
        expect(
          openState({ waitEstimate, diagnosis: null, createdAt: OPENED, wasSeen }, LATER),
        ).toBe("waiting_for_dns");
      expect(shown(null, HOUR_LATER)).toBe("waiting_for_dns");
    },
  );
});
