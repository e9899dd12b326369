import { LABEL, TOKEN } from "../case.ts";
import { COMPLAINTS } from "./complaints.ts";
import { type Thread, threadsIn } from "./thread.ts";

/** A thread with the record that its vendor asked for. */
export type VendorThread = Pick<Thread, "source" | "zones" | "added" | "codes" | "says"> & {
  was: string;
  name: string;
  type: "TXT" | "CNAME";
  value: string;
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
const OTHERWISE: Record<string, Pick<VendorThread, "codes" | "says">> = {
  "3927": { codes: ["alias_elsewhere"], says: [/ff762516\.stackpath-tls/] },
  "278": { codes: ["no_matching_record"], says: [/another/, /keep/] },
  "6493": { codes: ["negative_cache"], says: [/cached/, /minute/] },
  "9378": { codes: ["nameserver_sync"], says: [/ns2\.dns\.example still/] },
};

const THIRTY = COMPLAINTS.map(({ thread, source, zones, domain, added, line, ...rest }) => {
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
    ...{ source, was: line("was") ?? "", type: "TXT" as const, value },
    ...(added && { added: added.map(named) }),
    zones: JSON.parse(named(JSON.stringify(zones))),
    name: label === "@" ? domain : `${label}.${domain}`,
    codes: rest.codes,
    says: rest.says.map(({ source, flags }) => new RegExp(named(source), flags)),
    ...OTHERWISE[number],
  };
});

const ACM = "_9d1e5c7b3a2f4860.jfrzftwwjs.acm-validations.aws";
const VERCEL = "vc-domain-verify=akber.is-a.dev,7f3dc461df2663717ea6";
const GOOGLE = "google-site-verification=Ix1jCzU2q87IgryC4eAEXvdv1VRzjXoLU14sjfpSnko";

/** `asks`: the record asked for, by its host. */
const TEN = threadsIn(String.raw`
anomalyco/sst/issues/5781:
  was The registrar lists other nameservers than those of the zone with the record.
  asks _3f0c9a7d5b1e42868d2a6c40e97b51f3 CNAME ${ACM}
  zone {N}.com:
  is record_absent
  says /served by ns1/ /CNAME/
sendgrid/docs/pull/5769:
  was Route 53 added the domain to the full name that was typed.
  asks em4327 CNAME u123456.wl.sendgrid.net
  zone {N}.com: em4327.{N}.com CNAME u123456.wl.sendgrid.net.
  is domain_appended
  says /leave only this/
PostHog/posthog/pull/50665:
  was Cloudflare flattens the CNAME: the addresses are the target's own.
  asks e CNAME app.{N}.com
  zone {N}.com: e A 192.0.2.7 | app A 192.0.2.7
  is flattened
  says /addresses of app/
OneUptime/oneuptime/issues/1664:
  was A proxy answers for the name, with its own addresses.
  asks status CNAME oneuptime.{N}.com
  zone {N}.com: status A 192.0.2.200 | oneuptime A 192.0.2.7
  is proxied
  says /prox/i
lieser/dkim_verifier/issues/195:
  was The target of the CNAME was typed as a TXT record.
  asks k1._domainkey CNAME dkim.mcsv.net
  zone {N}.com: k1._domainkey TXT "dkim.mcsv.net"
  is wrong_type
  says /in a TXT record/ /CNAME/
Mnexa-AI/e2a/pull/312:
  was The key lost its last characters on the way into the zone.
  asks e2a._domainkey TXT ${KEY}
  zone {N}.com: e2a._domainkey TXT "${KEY.slice(0, -6)}"
  is value_formatted
  says /lacks/ /end/
LukeSmithxyz/emailwiz/issues/130:
  was The underscore before domainkey was left out.
  asks mail._domainkey TXT ${KEY}
  zone {N}.com: mail.domainkey TXT "${KEY}"
  is record_absent
  says /is at mail\.domainkey/
simple-login/app/issues/1883:
  was Namecheap added the domain to the full name below a subdomain.
  asks dkim._domainkey.mail CNAME dkim._domainkey.simplelogin.co
  zone {N}.com: dkim._domainkey.mail.{N}.com CNAME dkim._domainkey.simplelogin.co.
  is domain_appended
  says /leave only this/
is-a-dev/register/pull/39362:
  was Vercel's code is at the domain, not below _vercel.
  asks _vercel TXT ${VERCEL}
  zone {N}.com: @ TXT "${VERCEL}"
  is record_at_apex
  says /itself/ /_vercel/
is-a-dev/register/pull/14503:
  was The registry's file made all letters of the code small.
  asks @ TXT ${GOOGLE}
  zone {N}.com: @ TXT "${GOOGLE.toLowerCase()}"
  is value_formatted
  says /“i” in place of “I”/ /change Value to/
`);

export const VENDOR_THREADS: readonly VendorThread[] = [
  ...THIRTY,
  ...TEN.map(({ domain, line, ...rest }) => {
    const [, host, type, value = ""] = /^(\S+) (\S+) (.*)$/.exec(line("asks") ?? "") ?? [];
    const name = host === "@" ? domain : `${host}.${domain}`;
    return { ...rest, was: line("was") ?? "", name, type: type as VendorThread["type"], value };
  }),
];
