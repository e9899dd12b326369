import type { Provider } from "@deed/dns/names.ts";
import { txt, type ZoneRecord } from "./records.ts";
import type { ZoneSpec } from "./world.ts";

type Host = { host: string; address: string };

export const ROOT: Host = { host: "a.root.example", address: "127.0.0.10" };

export const TLDS: (Host & { zone: string })[] = [
  { zone: "com", host: "a.registry.com", address: "127.0.0.11" },
  { zone: "example", host: "a.registry.example", address: "127.0.0.12" },
];

/** With the same names as the service's default resolvers. */
export const WITNESSES: { name: string; address: string }[] = [
  { name: "cloudflare", address: "127.0.0.61" },
  { name: "google", address: "127.0.0.62" },
  { name: "quad9", address: "127.0.0.63" },
];

/** DNS hosts, with real nameserver names so that the service recognizes them. */
export const PROVIDERS: { name: Provider; zones: string[]; servers: Host[] }[] = [
  {
    name: "godaddy",
    zones: ["domaincontrol.com"],
    servers: [
      { host: "ns61.domaincontrol.com", address: "127.0.0.21" },
      { host: "ns62.domaincontrol.com", address: "127.0.0.22" },
    ],
  },
  {
    name: "cloudflare",
    zones: ["cloudflare.com"],
    servers: [
      { host: "ada.ns.cloudflare.com", address: "127.0.0.23" },
      { host: "bob.ns.cloudflare.com", address: "127.0.0.24" },
    ],
  },
  {
    name: "route53",
    zones: ["awsdns-12.com", "awsdns-25.com"],
    servers: [
      { host: "ns-101.awsdns-12.com", address: "127.0.0.25" },
      { host: "ns-202.awsdns-25.com", address: "127.0.0.26" },
    ],
  },
  {
    name: "namecheap",
    zones: ["registrar-servers.com"],
    servers: [
      { host: "dns1.registrar-servers.com", address: "127.0.0.27" },
      { host: "dns2.registrar-servers.com", address: "127.0.0.28" },
    ],
  },
  {
    name: "google-domains",
    zones: ["googledomains.com"],
    servers: [
      { host: "ns-cloud-a1.googledomains.com", address: "127.0.0.29" },
      { host: "ns-cloud-a2.googledomains.com", address: "127.0.0.30" },
    ],
  },
  {
    name: "vercel",
    zones: ["vercel-dns.com"],
    servers: [
      { host: "ns1.vercel-dns.com", address: "127.0.0.31" },
      { host: "ns2.vercel-dns.com", address: "127.0.0.32" },
    ],
  },
  {
    name: "other",
    zones: ["hosting.example"],
    servers: [
      { host: "ns1.hosting.example", address: "127.0.0.33" },
      { host: "ns2.hosting.example", address: "127.0.0.34" },
    ],
  },
];

/** Hosts of a provider's nameservers. */
export const hostsOf = (provider: Provider): string[] =>
  PROVIDERS.filter(({ name }) => name === provider).flatMap(({ servers }) =>
    servers.map(({ host }) => host),
  );

/** The records of a typical small site: two addresses, a mail exchanger, a mail policy. */
export const siteRecords = (zone: string): ZoneRecord[] => [
  { name: zone, type: "A", ttl: 300, data: "192.0.2.10" },
  { name: `www.${zone}`, type: "A", ttl: 300, data: "192.0.2.10" },
  { name: zone, type: "MX", ttl: 300, data: { preference: 10, exchange: `mail.${zone}` } },
  { name: `mail.${zone}`, type: "A", ttl: 300, data: "192.0.2.25" },
  txt(zone, "v=spf1 mx -all"),
];

const sampleZone = (name: string, provider: Provider, extra: Partial<ZoneSpec> = {}): ZoneSpec => ({
  name,
  nameservers: hostsOf(provider),
  records: siteRecords(name),
  times: { minimum: 60 },
  ...extra,
});

/** Zones available to claim from the start, one per provider, including an internationalized and a signed one. */
export const SAMPLE_ZONES: ZoneSpec[] = [
  sampleZone("acme.com", "godaddy"),
  sampleZone("globex.com", "cloudflare", { signing: "signed" }),
  sampleZone("initech.com", "route53"),
  sampleZone("hooli.com", "namecheap"),
  sampleZone("orchard.example", "google-domains"),
  sampleZone("lantern.example", "vercel"),
  sampleZone("xn--bcher-kva.example", "other"),
];
