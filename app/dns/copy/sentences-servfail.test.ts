import { describe, expect, it } from "vitest";
import type { ResolverFault } from "../verdict/diagnosis.ts";
import { sentencesFor } from "./diagnoses.ts";
import { EXAMPLE_LOCATION } from "./diagnosis-text.ts";

const words = (fault: ResolverFault | undefined, ...codes: number[]) =>
  sentencesFor(
    {
      code: "servfail",
      awaits: "provider",
      observed: {
        resolvers: ["north", "east"],
        extendedErrors: codes.map((code) => ({ code, text: "" })),
        ...(fault && { fault }),
      },
    },
    { ...EXAMPLE_LOCATION, provider: "cloudflare" },
  );
const AT_REGISTRY = { zone: "acme.com", secondsRemembered: 86_400 };

// C7.15
describe("explainServfail", () => {
  it.each<[string, ResolverFault, string, string]>([
    [
      "a DS left behind",
      { type: "ds_without_keys", dsKeyTags: [60485], ...AT_REGISTRY },
      "The registry still has the DS record (key tag 60485) for acme.com, but the zone is not signed with DNSSEC, so public resolvers (north and east) reject its records.",
      "At the registrar of acme.com, remove the DS record (key tag 60485); resolvers can take up to 24 hours to notice.",
    ],
    [
      "two of them, in a zone above that is no registry's",
      {
        type: "ds_without_keys",
        dsKeyTags: [1, 2],
        zone: "shop.acme.com",
        parent: "acme.com",
        secondsRemembered: 300,
      },
      "The zone acme.com still has the DS records (key tags 1 and 2) for shop.acme.com, but the zone is not signed with DNSSEC, so public resolvers (north and east) reject its records.",
      "In the DNS panel of the zone acme.com, remove the DS records (key tags 1 and 2); resolvers can take up to 5 minutes to notice.",
    ],
    [
      "a DS of no key",
      { type: "ds_matches_no_key", dsKeyTags: [7], keyTags: [8, 9], ...AT_REGISTRY },
      "The DS record (key tag 7) that the registry has for acme.com matches none of the zone's DNSSEC keys (key tags 8 and 9), so public resolvers (north and east) reject its records.",
      "At the registrar of acme.com, replace the DS record (key tag 7) with the one that Cloudflare shows for the zone's key; resolvers can take up to 24 hours to notice.",
    ],
    [
      "expired signatures",
      { type: "signatures_expired", zone: "acme.com", expiredAt: "2026-03-12T14:00:00.000Z" },
      "The DNSSEC signatures of acme.com expired on 12 March 2026, so public resolvers (north and east) reject its records.",
      "Ask Cloudflare to sign the zone acme.com again, and leave its DS record as it is.",
    ],
    [
      "signatures of the zone above, of another host",
      {
        type: "signatures_not_yet_valid",
        zone: "above.com",
        validFrom: "2026-03-12T14:00:00.000Z",
      },
      "The DNSSEC signatures of above.com are not valid before 12 March 2026, so public resolvers (north and east) reject its records.",
      "Ask the DNS provider of above.com to sign the zone above.com again, and leave its DS record as it is.",
    ],
    [
      "missing signatures",
      { type: "signatures_missing", zone: "acme.com" },
      "The DNSSEC signatures of acme.com are missing or made with other keys, so public resolvers (north and east) reject its records.",
      "Ask Cloudflare to sign the zone acme.com again, and leave its DS record as it is.",
    ],
    [
      "signatures of other records",
      { type: "signatures_invalid", zone: "acme.com" },
      "The DNSSEC signatures of acme.com do not match its records, so public resolvers (north and east) reject its records.",
      "Ask Cloudflare to sign the zone acme.com again, and leave its DS record as it is.",
    ],
    [
      "no proof of what is not there",
      { type: "denial_missing", zone: "above.com" },
      "above.com is signed with DNSSEC, but its nameservers do not prove which names and records it does not have, so public resolvers (north and east) reject its records.",
      "Ask the DNS provider of above.com to sign the zone above.com again, and leave its DS record as it is.",
    ],
  ])("%s", (_, fault, cause, fix) => {
    expect(words(fault)).toEqual({ cause, fix });
  });

  it.each<[string, ResolverFault | undefined, number[]]>([
    ["resolvers that fail without validating too", { type: "unreachable" }, [9]],
    ["an unsigned zone", { type: "unsigned", zone: "acme.com" }, [9]],
    ["nothing known", undefined, []],
    ["a reason that is not about signatures", undefined, [0, 22, 23]],
  ])("does not blame DNSSEC for %s", (_, fault, codes) => {
    const { cause, fix } = words(fault, ...codes);
    expect(`${cause} ${fix}`).not.toMatch(/DNSSEC|registrar|\bremove\b|sign the zone/);
  });

  it("repeats the resolvers' reasons if nothing else is known", () => {
    expect(words(undefined, 6, 6, 22, 999).cause).toContain(
      'with the reasons "DNSSEC Bogus" and "No Reachable Authority".',
    );
    expect(words(undefined, 0).cause).toContain(", without a reason.");
  });
});
