import { both, LABEL, TOKEN, zone } from "../case.ts";
import type { LabZone } from "../zones.ts";
import { COMPLAINTS } from "./complaint.ts";

/** A thread with the record that its vendor asked for. */
export type VendorThread = {
  thread: string;
  kind: "issues" | "pull";
  was: string;
  zones: LabZone[];
  added?: string[] | undefined;
  name: string;
  type: "TXT" | "CNAME";
  value: string;
  code: string;
  says: RegExp[];
};

const HEX = "5fd2a1c0de";
const GUID = "7b1d4c1e-93a5-4f0e-8d57-2f6c9a1b3e40";
const ACME = "gfj9Xq_Rg85nM0kz3YwUt1bVd7cL2eHs6AoPi4xNQlE";
const DID = "did=did:plc:z72i7hdynmk6r22z27h6tvur";
const KEY = `k=rsa; p=${"MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC7".repeat(4)}IDAQAB`;
const PAGES = ["_github-pages-challenge-octo", "00112233445566778899aabbccddee"] as const;

/** Label and value by the thread's number; if a thread shows none, in the vendor's documented form. */
const OWN: Record<string, readonly [label: string, value: string]> = {
  "256": ["_visual-studio-marketplace-acme", GUID],
  "344": ["mailo._domainkey", KEY],
  "3834": ["_github-challenge-acme-org", HEX],
  "4042": ["_agenta-verification", `_agenta-verification=${HEX}${HEX}`],
  "356": ["resend._domainkey", KEY.slice(7)],
  "515": ["resend._domainkey", KEY.slice(7)],
  "8550": PAGES,
  "972": PAGES,
  "9562": ["_atproto", DID],
  "12150": PAGES,
  "2426": ["_keybase", `keybase-site-verification=${ACME}`],
  "16048": PAGES,
  "19": ["_vercel", "vc-domain-verify=runs-on-dev-19.com,81e73fdea1b7f9058ffa"],
  "207": ["_vercel", "vc-domain-verify=runs-on-dev-207.com,81e73fdea1b7f9058ffa"],
  "1790": ["_github-challenge-acme-org", HEX],
  "278": ["@", `aa-verify=${HEX.repeat(4)}`],
  "6493": ["_atproto", DID],
  "4646": ["_zitadel-challenge", ACME.slice(0, 32)],
  "1466": ["_vutuv", ACME.slice(0, 32)],
  "6550": ["_zitadel-challenge", ACME.slice(0, 32)],
};
/** Where the first check of any record differs from a claim with a history. */
const OTHERWISE: Record<string, Pick<VendorThread, "code" | "says">> = {
  "3927": { code: "alias_elsewhere", says: [/ff762516\.stackpath-tls/] },
  "278": { code: "no_matching_record", says: [/another/, /keep/] },
  "6493": { code: "negative_cache", says: [/cached/, /minute/] },
  "9378": { code: "nameserver_sync", says: [/ns2\.dns\.example still/] },
};

const THIRTY = COMPLAINTS.map((complaint): VendorThread => {
  const { thread, kind, was, zones, domain = zones[0]?.name ?? "", added, code, says } = complaint;
  const number = thread.split("#")[1] ?? "";
  const [label, value] = OWN[number] ?? ["_acme-challenge", ACME];
  // A cut value is the vendor's value, cut.
  const own = (text: string) =>
    text
      .replaceAll(TOKEN, value)
      .replaceAll(TOKEN.slice(0, -3), value.slice(0, -3))
      .replaceAll("service_v1_c3c3", "aa-verify=c3c3")
      .replaceAll(`service_v1_${"0d".repeat(20)}`, "did=did:plc:ewvi7nxzyoun6zhxrhs64oiz");
  const named = (text: string) => own(text).replaceAll(LABEL, label);
  return {
    ...{ thread, was, added: added?.map(named), type: "TXT", value },
    kind: kind ?? "issues",
    zones: JSON.parse(named(JSON.stringify(zones))),
    name: label === "@" ? domain : `${label}.${domain}`,
    code,
    says: says.map(({ source, flags }) => new RegExp(named(source), flags)),
    ...OTHERWISE[number],
  };
});

const ACM = [
  "_3f0c9a7d5b1e42868d2a6c40e97b51f3",
  "_9d1e5c7b3a2f4860.jfrzftwwjs.acm-validations.aws",
];
const GOOGLE = "google-site-verification=Ix1jCzU2q87IgryC4eAEXvdv1VRzjXoLU14sjfpSnko";

type Ten = Omit<VendorThread, "zones" | "name" | "kind"> & {
  kind?: "pull";
  host: string;
  records: string[];
};
const TEN: Ten[] = [
  {
    thread: "anomalyco/sst#5781",
    was: "The registrar lists other nameservers than those of the zone with the record.",
    ...{ host: ACM[0] ?? "", type: "CNAME", value: ACM[1] ?? "", records: [] },
    ...{ code: "record_absent", says: [/served by ns1/, /CNAME/] },
  },
  {
    ...{ thread: "sendgrid/docs#5769", kind: "pull" },
    was: "Route 53 added the domain to the full name that was typed.",
    ...{ host: "em4327", type: "CNAME", value: "u123456.wl.sendgrid.net" },
    ...{ records: ["em4327.NAME CNAME u123456.wl.sendgrid.net."] },
    ...{ code: "domain_appended", says: [/leave only this/] },
  },
  {
    ...{ thread: "PostHog/posthog#50665", kind: "pull" },
    was: "Cloudflare flattens the CNAME: the addresses are the target's own.",
    ...{ host: "e", type: "CNAME", value: "app.posthog-50665.com" },
    ...{ records: ["e A 192.0.2.7", "app A 192.0.2.7"] },
    ...{ code: "flattened", says: [/addresses of app/] },
  },
  {
    thread: "OneUptime/oneuptime#1664",
    was: "A proxy answers for the name, with its own addresses.",
    ...{ host: "status", type: "CNAME", value: "oneuptime.oneuptime-1664.com" },
    ...{ records: ["status A 192.0.2.200", "oneuptime A 192.0.2.7"] },
    ...{ code: "proxied", says: [/prox/i] },
  },
  {
    thread: "lieser/dkim_verifier#195",
    was: "The target of the CNAME was typed as a TXT record.",
    ...{ host: "k1._domainkey", type: "CNAME", value: "dkim.mcsv.net" },
    ...{ records: ['k1._domainkey TXT "dkim.mcsv.net"'] },
    ...{ code: "wrong_type", says: [/in a TXT record/, /CNAME/] },
  },
  {
    ...{ thread: "Mnexa-AI/e2a#312", kind: "pull" },
    was: "The key lost its last characters on the way into the zone.",
    ...{ host: "e2a._domainkey", type: "TXT", value: KEY },
    ...{ records: [`e2a._domainkey TXT "${KEY.slice(0, -6)}"`] },
    ...{ code: "value_formatted", says: [/lacks/, /end/] },
  },
  {
    thread: "LukeSmithxyz/emailwiz#130",
    was: "The underscore before domainkey was left out.",
    ...{ host: "mail._domainkey", type: "TXT", value: KEY },
    ...{ records: [`mail.domainkey TXT "${KEY}"`] },
    ...{ code: "record_absent", says: [/is at mail\.domainkey/] },
  },
  {
    thread: "simple-login/app#1883",
    was: "Namecheap added the domain to the full name below a subdomain.",
    ...{ host: "dkim._domainkey.mail", type: "CNAME", value: "dkim._domainkey.simplelogin.co" },
    ...{ records: ["dkim._domainkey.mail.NAME CNAME dkim._domainkey.simplelogin.co."] },
    ...{ code: "domain_appended", says: [/leave only this/] },
  },
  {
    ...{ thread: "is-a-dev/register#39362", kind: "pull" },
    was: "Vercel's code is at the domain, not below _vercel.",
    ...{
      host: "_vercel",
      type: "TXT",
      value: "vc-domain-verify=akber.is-a.dev,7f3dc461df2663717ea6",
    },
    ...{ records: ['@ TXT "vc-domain-verify=akber.is-a.dev,7f3dc461df2663717ea6"'] },
    ...{ code: "record_at_apex", says: [/itself/, /_vercel/] },
  },
  {
    ...{ thread: "is-a-dev/register#14503", kind: "pull" },
    was: "The registry's file made all letters of the code small.",
    ...{ host: "@", type: "TXT", value: GOOGLE, records: [`@ TXT "${GOOGLE.toLowerCase()}"`] },
    ...{ code: "value_formatted", says: [/“i” in place of “I”/, /change Value to/] },
  },
];

export const VENDOR_THREADS: readonly VendorThread[] = [
  ...THIRTY,
  ...TEN.map(({ host, records, kind, ...rest }): VendorThread => {
    const domain = `${rest.thread
      .replace(/^.*\//, "")
      .replace(/[^a-z0-9]+/gi, "-")
      .toLowerCase()}.com`;
    const lines = records.map((line) => line.replace("NAME", domain));
    const name = host === "@" ? domain : `${host}.${domain}`;
    return { ...rest, kind: kind ?? "issues", name, zones: [zone(domain, both(...lines))] };
  }),
];
