import { describe, expect, it } from "vitest";
import { PUBLISHING_MINUTES, providerOf } from "./provider.ts";

// C11.4
describe("providerOf", () => {
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
  ] as const)("is %s, publishing in %s minutes, for %j", (provider, minutes, nameservers) => {
    expect(providerOf(nameservers)).toBe(provider);
    expect(PUBLISHING_MINUTES[provider]).toBe(minutes);
  });
});
