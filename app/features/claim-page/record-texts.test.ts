import { describe, expect, it } from "vitest";
import { providerLabels, recordSnippets } from "./record-texts.ts";

const record = { name: "_service-challenge.acme.com", value: "service_v1_00" };

it.each([
  ["cloudflare", "Auto", 300],
  ["godaddy", "3600", 3_600],
  ["namecheap", "Automatic", 1_800],
  ["vercel", "60", 60],
  ["other", "300", 300],
] as const)("has the TTL as the panel of %s takes it, in every form", (provider, ttl, seconds) => {
  const place = { label: "_x", domain: "acme.com", zone: "acme.com", token: "t", provider };
  expect(providerLabels(place).ttl).toBe(ttl);
  const { dig: _, cloudflare, ...forms } = recordSnippets(record, "acme.com", [], provider);
  const texts = [...Object.values(forms), ...(cloudflare ? [cloudflare] : [])];
  for (const text of texts) expect(text).toMatch(new RegExp(`\\b${seconds}\\b`));
});

describe("the record for every hand", () => {
  it("is a zone-file line, nsupdate input, and a dig command for each nameserver", () => {
    expect(recordSnippets(record, "acme.com", ["ns1.acme.com", "ns2.acme.com"])).toEqual({
      bind: '_service-challenge.acme.com. 300 IN TXT "service_v1_00"',
      terraform: [
        'resource "dns_txt_record_set" "deed" {',
        '  zone = "acme.com."',
        '  name = "_service-challenge"',
        '  txt  = ["service_v1_00"]',
        "  ttl  = 300\n}",
      ].join("\n"),
      cloudflare: null,
      octodns: '"_service-challenge":\n  type: TXT\n  ttl: 300\n  value: "service_v1_00"',
      nsupdate:
        'zone acme.com.\nupdate add _service-challenge.acme.com. 300 TXT "service_v1_00"\nsend',
      dig: [1, 2].map((n) => `dig +norecurse TXT _service-challenge.acme.com @ns${n}.acme.com`),
    });
  });

  it("is Terraform and a call of Cloudflare's where the zone is there", () => {
    const { terraform, cloudflare } = recordSnippets(record, "acme.com", [], "cloudflare");
    expect(terraform).toContain('content = "\\"service_v1_00\\""');
    expect(JSON.parse(/'(.*)'$/.exec(cloudflare ?? "")?.[1] ?? "")).toEqual({
      ...{ type: "TXT", ttl: 300 },
      ...{ name: "_service-challenge.acme.com", content: '"service_v1_00"' },
    });
    const odd = recordSnippets({ ...record, name: "x';reboot" }, null, [], "cloudflare");
    expect(odd.cloudflare).toBeNull();
  });

  it("traces from the root without a nameserver that a shell would read as a name alone", () => {
    const trace = ["dig +trace TXT _service-challenge.acme.com"];
    expect(recordSnippets(record, null, []).dig).toEqual(trace);
    const hosts = ["ns1.acme.com;reboot", "$(id).example", "-f.example"];
    expect(recordSnippets(record, "x;y", hosts).dig).toEqual(trace);
    expect(recordSnippets(record, "x;y", []).nsupdate).not.toContain("x;y");
  });
});
