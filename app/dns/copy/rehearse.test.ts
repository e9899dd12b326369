import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AT, OTHER, TOKEN } from "../testing/observations.ts";
import type { Provider } from "../verdict/diagnosis.ts";
import type { RecordLocation } from "./providers.ts";
import { rehearse, type TypedRecord } from "./rehearse.ts";

const H = "_service-challenge";
const at = (
  provider: Provider,
  domain = "acme.com",
  zone: string | null = "acme.com",
): RecordLocation => ({
  label: H,
  domain,
  zone,
  token: TOKEN,
  provider,
});
const read = (typed: TypedRecord, place: RecordLocation) => {
  const rehearsal = rehearse(typed, place);
  if (!rehearsal) return null;
  const { name, type, value, diagnosis } = rehearsal;
  const near = diagnosis?.code === "record_absent" ? diagnosis.observed.nearMiss?.kind : undefined;
  return [name, type, value, near ?? diagnosis?.code ?? null];
};

const NAME = `${H}.acme.com`;
const right = [NAME, "TXT", TOKEN, null];

describe("the panel's two fields", () => {
  it.each<[host: string, name: string, finding: string | null]>([
    [H, NAME, null],
    [` ${H.toUpperCase()} `, NAME, null],
    [`${NAME}.`, NAME, null],
    [NAME, `${NAME}.acme.com`, "domain_appended"],
    ["@", "acme.com", "record_at_apex"],
    ["", "acme.com", "record_at_apex"],
    [`${H}.www`, `${H}.www.acme.com`, "record_on_www"],
    ["www", "www.acme.com", "record_on_www"],
    ["service-challenge", "service-challenge.acme.com", "no_underscore"],
    [`${H}.${H}`, `${H}.${H}.acme.com`, "host_doubled"],
    ["_service_challenge", "_service_challenge.acme.com", "misspelled"],
    ["_service-chalenge", "_service-chalenge.acme.com", "misspelled"],
    ["_servcie-challenge", "_servcie-challenge.acme.com", "misspelled"],
    [TOKEN, `${TOKEN}.acme.com`, "token_as_host"],
    ["mail", "mail.acme.com", "record_absent"],
  ])("host %j gives %s: %s", (host, name, finding) => {
    expect(read({ host, value: TOKEN }, at("godaddy"))).toEqual([name, "TXT", TOKEN, finding]);
  });

  it.each<[value: string, published: string, finding: string | null]>([
    [TOKEN, TOKEN, null],
    [`"${TOKEN}"`, `"${TOKEN}"`, "value_formatted"],
    [` ${TOKEN}`, ` ${TOKEN}`, "value_formatted"],
    [`TXT=${TOKEN}`, `TXT=${TOKEN}`, "value_formatted"],
    [TOKEN.slice(0, 30), TOKEN.slice(0, 30), "value_formatted"],
    [OTHER, OTHER, "foreign_token"],
    ["v=spf1 -all", "v=spf1 -all", "no_matching_record"],
  ])("value %j gives %j: %s", (value, published, finding) => {
    expect(read({ host: H, value }, at("godaddy"))).toEqual([NAME, "TXT", published, finding]);
  });

  it("follows the panel's rules for full names and quotation marks", () => {
    expect(read({ host: NAME, value: `"${TOKEN}"` }, at("cloudflare"))).toEqual(right);
    expect(read({ host: H, value: `"${TOKEN}"` }, at("route53"))).toEqual(right);
    expect(read({ host: NAME, value: `"${TOKEN}"` }, at("route53"))?.[3]).toBe("domain_appended");
  });

  it("completes names with the zone, not the domain", () => {
    const shop = at("godaddy", "shop.acme.com");
    const name = `${H}.shop.acme.com`;
    expect(read({ host: `${H}.shop`, value: TOKEN }, shop)).toEqual([name, "TXT", TOKEN, null]);
    expect(read({ host: H, value: TOKEN }, shop)?.[3]).toBe("parent");
    expect(read({ host: "shop", value: TOKEN }, shop)?.[3]).toBe("record_at_apex");
    expect(read({ host: name, value: TOKEN }, shop)?.[3]).toBe("domain_appended");
    const unread = at("other", "shop.acme.com", null);
    expect(read({ host: H, value: TOKEN }, unread)).toEqual([name, "TXT", TOKEN, null]);
  });

  it("knows the tokens of ended claims", () => {
    const ended = [{ token: OTHER, endedAt: AT }];
    const rehearsal = rehearse({ host: H, value: OTHER }, at("vercel"), {
      endedTokens: ended,
      domainOf: () => null,
    });
    expect(rehearsal?.diagnosis).toMatchObject({
      code: "expired_token",
      observed: { claimEndedAt: "2026-03-12T14:00:00.000Z" },
    });
  });

  it("handles a single field, and is null for none", () => {
    expect(read({ host: H, value: "" }, at("godaddy"))).toEqual([NAME, "TXT", null, null]);
    expect(read({ host: "@", value: "" }, at("godaddy"))?.[3]).toBe("record_at_apex");
    expect(rehearse({ host: " ", value: "" }, at("godaddy"))).toBe(null);
  });
});

describe("one pasted line", () => {
  it.each<[line: string, expected: unknown[]]>([
    [`${NAME}. 300 IN TXT "${TOKEN}"`, right],
    [`${H} IN TXT ${TOKEN} ; the proof`, right],
    [`${H}\t3600\tIN\tTXT\t( "${TOKEN.slice(0, 20)}" "${TOKEN.slice(20)}" )`, right],
    [`${H} TXT ${TOKEN}`, right],
    [`${H} txt "${TOKEN}"`, right],
    [`${H} ${TOKEN}`, right],
    [`update add ${NAME} 300 TXT "${TOKEN}"`, right],
    [`update add ${NAME}. 300 IN TXT ${TOKEN}`, right],
    [`server 192.0.2.1\nzone acme.com\nupdate add ${NAME} 60 TXT ${TOKEN}\nsend`, right],
    [`$ORIGIN acme.com.\n${H} 60 IN TXT "${TOKEN}"\nwww IN A 192.0.2.1`, right],
    [`${NAME} IN TXT "${TOKEN}"`, [`${NAME}.acme.com`, "TXT", TOKEN, "domain_appended"]],
    [`${NAME} TXT ${TOKEN}`, [`${NAME}.acme.com`, "TXT", TOKEN, "domain_appended"]],
    [`@ IN TXT "${TOKEN}"`, ["acme.com", "TXT", TOKEN, "record_at_apex"]],
    [`${H} IN TXT "\\"${TOKEN}\\""`, [NAME, "TXT", `"${TOKEN}"`, "value_formatted"]],
    [`${H} IN TXT "${TOKEN} "`, [NAME, "TXT", `${TOKEN} `, "value_formatted"]],
    [`${H} IN CNAME parked.test.`, [NAME, "CNAME", "parked.test.", "cname_conflict"]],
    [`${H} IN A 192.0.2.1`, [NAME, "A", "192.0.2.1", "record_absent"]],
    [`mail IN CNAME ${NAME}.`, ["mail.acme.com", "CNAME", `${NAME}.`, "record_absent"]],
    [`TXT ${TOKEN}`, [null, "TXT", TOKEN, null]],
    [TOKEN, [null, "TXT", TOKEN, null]],
    [`'${TOKEN}'`, [null, "TXT", `'${TOKEN}'`, "value_formatted"]],
    [OTHER, [null, "TXT", OTHER, "foreign_token"]],
    ["hello world", [null, "TXT", "hello world", "no_matching_record"]],
    [H, [NAME, "TXT", null, null]],
    ["www", ["www.acme.com", "TXT", null, "record_on_www"]],
    [`${NAME}.`, [NAME, "TXT", null, null]],
    [NAME, [`${NAME}.acme.com`, "TXT", null, "domain_appended"]],
  ])("%j", (line, expected) => {
    expect(read({ line }, at("other"))).toEqual(expected);
  });

  it("rejects deletions and empty input", () => {
    expect(read({ line: " \n" }, at("other"))).toBe(null);
    expect(read({ line: `update delete ${NAME} TXT` }, at("other"))?.[3]).toBe(
      "no_matching_record",
    );
  });

  it("keeps a full name on a panel that accepts full names", () => {
    expect(read({ line: `${NAME} TXT ${TOKEN}` }, at("cloudflare"))).toEqual(right);
    expect(read({ line: `${NAME} IN TXT ${TOKEN}` }, at("cloudflare"))?.[3]).toBe(
      "domain_appended",
    );
  });
});

describe("arbitrary input", () => {
  it("never throws, shows invisible text or accepts a wrong record", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 80 }),
      fc
        .array(
          fc.constantFrom(TOKEN, OTHER, H, NAME, "IN", "TXT", "A", '"', "\\", ".", " ", "@", "add"),
          { maxLength: 8 },
        )
        .map((parts) => parts.join("")),
    );
    const typed = fc.oneof(fc.record({ host: text, value: text }), fc.record({ line: text }));
    fc.assert(
      fc.property(
        typed,
        fc.constantFrom<Provider>("cloudflare", "route53", "other"),
        (given, provider) => {
          const rehearsal = rehearse(given, at(provider));
          expect(JSON.stringify(rehearsal)).not.toMatch(/\p{C}/u);
          if (rehearsal && rehearsal.diagnosis === null) {
            expect(rehearsal.name ?? NAME).toBe(NAME);
            expect(rehearsal.value ?? TOKEN).toBe(TOKEN);
            expect(rehearsal.type).toBe("TXT");
          }
        },
      ),
      { numRuns: 3000 },
    );
  });
});
