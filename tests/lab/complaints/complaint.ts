import type { History } from "@deed/dns/verdict/history.ts";
import { both, FOREIGN, LABEL, record, TOKEN, zone } from "../case.ts";
import { foreignDs, type LabZone, NS1, NS2 } from "../zones.ts";

/** A thread of another project, its mistake as a zone of the lab, and the right answer. */
export type Complaint = {
  thread: string;
  kind?: "pull";
  /** What the reporter saw, and the cause. */
  saw: string;
  was: string;
  zones: LabZone[];
  /** The name claimed; default the first zone's. */
  domain?: string;
  /** Records to add after the resolvers have asked once. */
  added?: string[];
  /** How many minutes later to read again. */
  laterMinutes?: number;
  /** Whether a resolver finds the record depends on the server it asks. */
  byChance?: true;
  /** The project's whole message was "not found" or "no match". */
  plain?: true;
  history?: Partial<History>;
  /** The code or the wait for it, and what the words must say. */
  code: string;
  says: RegExp[];
};

/** A complaint's zone has its thread's name: vsmarketplace-256.com. */
const nameOf = (thread: string, tld = "com") =>
  `${thread
    .replace(/^.*\//, "")
    .replace(/[^a-z0-9]+/gi, "-")
    .toLowerCase()}.${tld}`;
type Of = (name: string) => Omit<Complaint, "thread">;
const pull = (thread: string, of: Of): Complaint => ({
  thread,
  kind: "pull",
  ...of(nameOf(thread)),
});
const issue = (thread: string, of: Of): Complaint => ({ thread, ...of(nameOf(thread)) });
const held = (name: string, ...records: string[]) => [zone(name, both(...records))];
const claimant = { code: "record_absent" };

const appended =
  (saw: string): Of =>
  (name) => ({
    saw,
    was: "The panel added the domain to the full name that was typed.",
    zones: held(name, record(TOKEN, `${LABEL}.${name}`)),
    code: "domain_appended",
    says: [/added the domain/, /leave only this/],
  });
const tooHigh =
  (saw: string, label: string): Of =>
  (name) => ({
    saw,
    was: "The record is one label too high: at the zone, not below the name claimed.",
    zones: held(name, record(TOKEN)),
    domain: `${label}.${name}`,
    ...claimant,
    says: [new RegExp(`is at ${LABEL}.${name}`), new RegExp(`${LABEL}.${label}`)],
  });
const remembered =
  (saw: string, before?: string): Of =>
  (name) => ({
    saw,
    was: before
      ? "Resolvers still had the value of before."
      : "Resolvers had asked before the record was there, and remembered that it was not.",
    zones: held(name, ...(before ? [record(before)] : [])),
    added: [record(TOKEN)],
    ...(before && { history: { endedTokens: [{ token: before, endedAt: 0 }] } }),
    code: "negative_cache",
    says: [before ? /value of an earlier claim/ : /"not found"/, /minute/],
  });
const altered =
  (saw: string, was: string, value: string, says: RegExp): Of =>
  (name) => ({
    saw,
    was,
    zones: held(name, record(value.replaceAll('"', '\\"'))),
    code: "value_formatted",
    says: [says, new RegExp(TOKEN)],
  });
const leftOver =
  (saw: string): Of =>
  (name) => ({
    saw,
    was: "Another value was left at the name, and the record asked for is not there.",
    zones: held(name, record("J2ZbcDPsYwQqEYgLzKb9Lz6W4kcR8h0ubrXWBzOtqVg")),
    plain: true,
    code: "no_matching_record",
    says: [/another value/, /add/],
  });

export const COMPLAINTS: Complaint[] = [
  issue(
    "microsoft/vsmarketplace#256",
    appended("Not verified after 72 hours, with the record in DNS."),
  ),
  issue(
    "mailgun/documentation#344",
    appended("Two domains at GoDaddy, not verified with every record added."),
  ),
  issue(
    "github/docs#3834",
    appended("Could not verify for years at Namecheap and Google Domains."),
  ),
  pull("Agenta-AI/agenta#4042", appended("Users end up with the domain in the host twice.")),
  issue("maillab/cloud-mail#356", (name) => ({
    saw: "“All required records are missing”, with all of them added at Cloudflare.",
    was: "The zone is the subdomain itself, so its label is in the name twice.",
    zones: held(name, record(TOKEN, `${LABEL}.${name.split(".")[0]}`)),
    ...claimant,
    says: [/part of the domain twice/, /leave only this/],
  })),
  issue("dreamhunter2333/cloudflare_temp_email#515", (name) => {
    const below = `mail.${name}`;
    return {
      saw: "Ten hours a try, and no try passed.",
      was: "The names shown have one level too many for a zone that is the subdomain.",
      zones: [
        zone(below, both(record(TOKEN, `${LABEL}.mail`))),
        zone(name, both(`mail NS ${NS1}.`, `mail NS ${NS2}.`)),
      ],
      ...claimant,
      says: [/part of the domain twice/, /leave only this/],
    };
  }),
  issue(
    "js-org/js.org#8550",
    tooHigh("GitHub finds no TXT record, though it was added.", "gterminal"),
  ),
  pull(
    "is-a-good-dev/register#972",
    tooHigh("GitHub Pages does not recognise the domain.", "quack"),
  ),
  issue(
    "bluesky-social/social-app#9562",
    tooHigh("A handle below a domain is never verified.", "user"),
  ),
  pull("is-a-dev/register#12150", (name) => ({
    saw: "The TXT record of GitHub Pages does nothing.",
    was: "The record is at the name claimed, not at the host below it.",
    zones: held(name, record(TOKEN, "dev")),
    domain: `dev.${name}`,
    code: "record_at_apex",
    says: [new RegExp(`is at dev.${name} itself`), new RegExp(LABEL)],
  })),
  issue("keybase/keybase-issues#2426", (name) => ({
    saw: "The proof fails, though dig shows the record.",
    was: "Route 53 took @ for a name: the record is at “@.” below the domain.",
    zones: held(name, record(TOKEN, "\\@")),
    ...claimant,
    says: [/@/, /_service-challenge/, /change|leave only/],
  })),
  pull("is-a-dev/register#16048", (name) => ({
    saw: "A TXT record of the label, and nothing is verified.",
    was: "The value is the name of the record.",
    zones: held(name, record(LABEL)),
    code: "no_matching_record value_formatted",
    says: [/value .*name|name .*value/i, /replace|only|change Value/],
  })),
  pull(
    "zordhalo/runs-on.dev#19",
    altered(
      "Nothing errs anywhere, and the site is never verified.",
      "The value was copied from a display that shortens it: its end is three dots.",
      `${TOKEN.slice(0, -3)}...`,
      /missing|end/,
    ),
  ),
  pull(
    "zordhalo/runs-on.dev#207",
    altered(
      "A record that never verifies.",
      "The whole JSON was pasted as the value.",
      `{"type": "TXT", "value": "${TOKEN}"}`,
      /start|text|quot|wrong: /,
    ),
  ),
  issue(
    "simple-acme/simple-acme#280",
    altered(
      "An unintelligible error, after quotes were typed as advised.",
      "The quotation marks are part of the value.",
      `"${TOKEN}"`,
      /quotation marks|wrong: \\?"/,
    ),
  ),
  pull("hackclub/dns#1790", (name) => ({
    saw: "The reporter was not sure that the record is right.",
    was: "It is a CNAME, with the value as its target.",
    zones: held(name, `${LABEL} CNAME ${TOKEN}.`),
    code: "cname_conflict",
    says: [/target of a CNAME/, /TXT/],
  })),
  issue("cert-manager/cert-manager#3927", (name) => ({
    saw: "The TXT record is refused.",
    was: "The CNAME of a CDN is at the name, so no other record can be there.",
    zones: held(name, `${LABEL} CNAME ff762516.stackpath-tls.example.`),
    code: "cname_conflict",
    says: [/is a CNAME for ff762516|with a CNAME for ff762516/, /TXT/],
  })),
  issue("acmesh-official/acme.sh#2524", (name) => ({
    saw: "The record was there, and the check went on to a host of DuckDNS.",
    was: "Resolvers still had the wildcard's alias for the name.",
    zones: held(name, "* CNAME home.duckdns.example."),
    added: ["* CNAME home.duckdns.example.", record(TOKEN)],
    code: "negative_cache",
    says: [/old value|cached/, /minute/],
  })),
  issue("acmesh-official/acme.sh#5078", leftOver("“Incorrect TXT record found”.")),
  pull(
    "cloudflare/cloudflare-docs#33304",
    leftOver("Validation stays pending, with no error to act on."),
  ),
  issue("anonaddy/anonaddy#278", (name) => ({
    saw: "The second domain added cannot be verified.",
    was: "The value shown was still the first domain's.",
    zones: held(name, record(FOREIGN)),
    history: { domainOf: () => "first.example" },
    code: "foreign_token",
    says: [/value for first.example/, new RegExp(TOKEN)],
  })),
  issue(
    "bluesky-social/social-app#6493",
    remembered(
      "The old account's value is found, after it was changed.",
      `service_v1_${"0d".repeat(20)}`,
    ),
  ),
  issue("zitadel/zitadel#4646", remembered("“Verification failed”; after dinner it passed.")),
  issue("wintermeyer/vutuv#1466", remembered("Failed for long, at a provider with a short TTL.")),
  issue("zitadel/zitadel#6550", (name) => ({
    saw: "“ORG-GH3s”: nobody could tell whether the record or the service was wrong.",
    was: "There was no record.",
    plain: true,
    zones: held(name),
    ...claimant,
    says: [/no TXT record at _service-challenge/, /add a TXT record/],
  })),
  issue("certbot/certbot#9378", (name) => ({
    saw: "Now and then it fails; running it again sometimes helps.",
    was: "The secondary nameserver never got the record.",
    zones: [zone(name, { ns1: [record(TOKEN)], ns2: [] })],
    byChance: true,
    laterMinutes: 120,
    code: "not_published",
    says: [/on ns1\.dns\.example, but ns2\.dns\.example/, /ns2/],
  })),
  issue("acmesh-official/acme.sh#4863", (name) => ({
    saw: "Its own check passes, and the authority's fails.",
    was: "Not every nameserver had the new record yet.",
    zones: [zone(name, { ns1: [], ns2: [record(TOKEN)] })],
    byChance: true,
    code: "nameserver_sync",
    says: [/on ns2\.dns\.example, but ns1\.dns\.example still/],
  })),
  issue("cert-manager/cert-manager#3659", (name) => {
    const dead = `ns3.${name}`;
    const address = `${dead}. A 127.0.40.99`;
    return {
      saw: "A time-out, while the record is in DNS.",
      was: "One of the nameservers does not answer.",
      zones: [
        zone(
          name,
          { ns1: [record(TOKEN), address] },
          { delegatedTo: [NS1, dead], glue: [address] },
        ),
      ],
      code: "nameserver_sync",
      says: [/ns3\.\S+ does not answer/],
    };
  }),
  {
    thread: "virtualmin/virtualmin-gpl#418",
    saw: "SERVFAIL after the server moved.",
    was: "The registrar still had the DS record of the old keys.",
    zones: [
      zone("virtualmin-gpl-418.example", both(record(TOKEN)), {
        signed: true,
        ds: [foreignDs("virtualmin-gpl-418.example")],
      }),
    ],
    code: "servfail",
    says: [/DS record/, /registrar/],
  },
  issue("jed/certbot-route53#4", (name) => ({
    saw: "SERVFAIL, though Route 53 shows the record.",
    was: "The nameservers that the registry lists do not have the zone.",
    zones: [zone(name, {})],
    code: "lame_delegation",
    says: [/refuse/, /ns1\.dns\.example/, /zone/],
  })),
];
