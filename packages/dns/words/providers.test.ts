import { describe, expect, it } from "vitest";
import { type Provider, providerOf } from "../names.ts";
import { TOKEN } from "../testing/observations.ts";
import { PANELS, panelHost, panelUrl, panelValue } from "./providers.ts";

const typed = (domain: string, zone: string | null) =>
  panelHost({ label: "_service-challenge", domain, zone, provider: "other" });

it.each([
  ["acme.com", "acme.com", "_service-challenge"],
  ["acme.com", null, "_service-challenge"],
  ["shop.acme.com", "acme.com", "_service-challenge.shop"],
  ["a.b.acme.co.uk", "acme.co.uk", "_service-challenge.a.b"],
  ["shop.acme.com", "shop.acme.com", "_service-challenge"],
  ["acme.com", "_service-challenge.acme.com", "@"],
  ["xacme.com", "acme.com", "_service-challenge.xacme.com"],
])("panelHost for %s in the zone %s is %s", (domain, zone, expected) => {
  expect(typed(domain, zone)).toBe(expected);
});

it("the way to a panel's records is names, one below another", () => {
  for (const { path } of Object.values(PANELS))
    expect(path ?? "Panel").toMatch(/^[A-Z]\w+( \w+)*( > [A-Z]\w+( \w+)*)*$/);
});

it("panelValue quotes the token only if the panel wants quotation marks", () => {
  for (const provider of Object.keys(PANELS) as Provider[])
    expect(panelValue({ token: TOKEN, provider })).toBe(
      provider === "route53" ? `"${TOKEN}"` : TOKEN,
    );
});

describe("panelUrl", () => {
  it.each([
    ["cloudflare", "https://dash.cloudflare.com/?to=/:account/:zone/dns/records"],
    ["godaddy", "https://dcc.godaddy.com/control/portfolio/acme.com/settings?tab=dns"],
    ["namecheap", "https://ap.www.namecheap.com/Domains/DomainControlPanel/acme.com/advancedns"],
    ["other", null],
  ] as const)("at %s is %s", (provider, expected) => {
    expect(panelUrl({ domain: "shop.acme.com", zone: "acme.com", provider })).toBe(expected);
  });

  it("keeps a zone within its path segment", () => {
    const url = panelUrl({ domain: "a", zone: "a/../b?c", provider: "godaddy" });
    expect(url).toContain("/portfolio/a%2F..%2Fb%3Fc/settings");
  });
});

// C11.4
it.each([
  ["cloudflare", 2, ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"]],
  ["route53", 1, ["ns-1.awsdns-01.com", "ns-2.awsdns-02.co.uk", "ns-3.awsdns-03.net"]],
  ["godaddy", 10, ["ns01.domaincontrol.com", "ns02.domaincontrol.com"]],
  ["namecheap", 60, ["dns1.registrar-servers.com", "dns2.registrar-servers.com"]],
  ["google-domains", 5, ["ns-cloud-a1.googledomains.com", "ns-cloud-a2.googledomains.com"]],
  ["vercel", 1, ["ns1.vercel-dns.com", "ns2.vercel-dns.com"]],
  ["other", null, ["ns1.acme.com", "ns2.acme.com"]],
  ["cloudflare", 2, ["ADA.NS.CLOUDFLARE.COM"]],
  ["cloudflare", 2, ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com", "ns1.acme.com"]],
  ["other", null, ["ada.ns.cloudflare.com", "ns1.acme.com"]],
  ["other", null, ["ada.ns.cloudflare.com", "ns01.domaincontrol.com"]],
  ["other", null, ["evilcloudflare.com", "ns.cloudflare.com.evil.test", "xdomaincontrol.com"]],
  ["other", null, []],
] as const)("providerOf is %s, publishing in %s minutes, for %j", (provider, minutes, hosts) => {
  expect(providerOf(hosts)).toBe(provider);
  expect(PANELS[provider].publishingMinutes).toBe(minutes);
});
