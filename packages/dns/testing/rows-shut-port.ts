import type { Observation } from "../verdict/observation.ts";
import { askableFrom } from "../verdict/shut-port.ts";
import { altered, rcode, resolving, silent } from "./faults.ts";
import type { LabBehaviour } from "./lab-server.ts";
import { delegation, type LabRecord } from "./lab-zone.ts";
import {
  absent,
  comesTo,
  each,
  found,
  inShop,
  lame,
  NAME,
  type Row,
  SHOP,
  type Shows,
  three,
  txt,
  unresolvable,
} from "./rows.ts";
import { LABEL, TOKEN, type WorldSetup } from "./world.ts";
import { ZoneSigner } from "./zone-signer.ts";

const DAY = 86_400;
const NOW = Math.floor(Date.now() / 1000);
const MUTE = { behaviour: silent };
const SHUT = { root: { ...MUTE, tcp: "closed" }, tld: { ...MUTE, tcp: "closed" } } as const;
const claim = { openedAt: NOW * 1000, held: [] };
const since = (inception: number) => ({ period: { inception, expiration: NOW + DAY } });
/** As of a zone that was signed after the claim was opened, and of one that was signed long before. */
const [FRESH, OLD] = [new ZoneSigner("acme.test", since(NOW - 3600)), new ZoneSigner("acme.test")];
const ds = ({ ds: data }: ZoneSigner, name = "acme.test"): LabRecord => ({
  name,
  type: "DS",
  data,
});

/** acme.test by this signer, below a signed root, read over HTTPS alone. */
const shut = (signer: ZoneSigner | null, rest: WorldSetup = {}, listed = signer): WorldSetup => ({
  signed: true,
  secure: "https",
  overHttps: claim,
  servers: each({ ...MUTE, tcp: "closed" }),
  ...(signer && { signer }),
  ...SHUT,
  ...rest,
  tld: { ...(rest.tld ?? SHUT.tld), records: listed ? [ds(listed)] : [] },
});
const { overHttps: _, ...WITHOUT_CLAIM } = shut(FRESH);
const mistaken = (type: string) =>
  new ZoneSigner("acme.test", { ...since(NOW - 3600), mistaken: type });
const unsigned = (type: string) =>
  new ZoneSigner("acme.test", { ...since(NOW - 3600), unsigned: type });
/** A resolver that says so without a signature, whatever the zone has. */
const lying: LabBehaviour = altered((answer, query) =>
  query.type === "TXT"
    ? { ...answer, aa: false, rcode: 0, authorities: [], answers: txtAnswers(query.name) }
    : { ...answer, aa: false },
);
const txtAnswers = (name: string) => [
  { name, type: "TXT" as const, class: "IN" as const, ttl: 300, data: [TOKEN] },
];
/** A resolver without DNSSEC. */
const bare: LabBehaviour = altered((answer) => ({
  ...answer,
  aa: false,
  answers: answer.answers.filter(({ type }) => type !== "RRSIG"),
  authorities: answer.authorities.filter(({ type }) => type === "SOA"),
}));

/** A resolver whose denials say that they are kept for a week. */
const WEEK = 7 * DAY;
const stubborn: LabBehaviour = altered((answer) => ({
  ...answer,
  aa: false,
  authorities: answer.authorities.map((one) =>
    one.type === "SOA" ? { ...one, ttl: WEEK, data: { ...one.data, minimum: WEEK } } : one,
  ),
}));

const askedFor = ({ exchanges }: Observation, name: string, type: string) =>
  exchanges.filter(({ question }) => question.name === name && question.type === type);
/** Who was asked for the challenge name, all of them over HTTPS. */
const asked =
  (...witnesses: string[]): Shows =>
  (seen) =>
    seen.shut !== undefined &&
    askedFor(seen, seen.challengeName, "TXT")
      .map(({ server, transport }) => `${server} ${transport}`)
      .join() === witnesses.map((one) => `${one} https`).join();
const judged =
  (verdict: string, reason?: string): Shows =>
  ({ validation, chain }) =>
    validation?.verdict === verdict &&
    (validation.verdict === "secure" ? chain !== null : validation.reason.type === reason);
const ordinary: Shows = (seen) =>
  seen.shut === undefined && seen.chain === null && askedFor(seen, NAME, "DNSKEY").length === 0;
/** Seconds until somebody may be asked again, from now. */
const waits =
  (from: number, until: number): Shows =>
  (seen) => {
    const seconds = ((askableFrom(seen) ?? 0) - seen.at) / 1000;
    return from <= seconds && seconds <= until;
  };
const holding = (...until: number[]) => ({
  ...claim,
  held: until.map((at, index) => ({ resolver: `witness${index + 1}`, until: at })),
});
// Later than a run of the matrix that began at `NOW` ends.
const LATER = (NOW + 7200) * 1000;

/** Port 53 is shut outward: what signatures prove over HTTPS, and what they do not. */
export const SHUT_PORT_ROWS: Row[] = [
  found("port 53 shut, a signed record", shut(FRESH), asked("witness1"), judged("secure")),
  found(
    "port 53 shut without a reset, a signed record",
    shut(FRESH, { root: MUTE }),
    asked("witness1"),
  ),
  found(
    "port 53 shut, a signed record of a name within its zone",
    shut(FRESH, { ...inShop, records: [txt(`${LABEL}.${SHOP}`)] }),
    asked("witness1"),
    (seen) => askedFor(seen, SHOP, "DS").length === 0,
  ),
  found(
    "port 53 shut, one resolver without DNSSEC",
    shut(FRESH, { witnesses: [{ behaviour: bare }, {}, {}] }),
    asked("witness2"),
  ),
  found(
    "port 53 shut, one resolver silent",
    shut(FRESH, { witnesses: [{ tcp: "closed" }, {}, {}] }),
    asked("witness2"),
  ),
  unresolvable(
    "port 53 shut, an unsigned zone",
    shut(null),
    asked(),
    judged("insecure", "unsigned"),
  ),
  unresolvable(
    "port 53 shut, an unsigned zone below a signed one",
    shut(FRESH, {
      ...inShop,
      records: delegation(SHOP, { "ns1.host.test": [] }),
      witnesses: three({
        behaviour: (query, server) =>
          query.name.endsWith(`.${SHOP}`) ? lying(query, server) : resolving(query, server),
      }),
    }),
    asked("witness1"),
    judged("insecure", "unsigned"),
  ),
  ...["TXT", "DNSKEY"].flatMap((type) => [
    unresolvable(
      `port 53 shut, signatures of other records over ${type}`,
      shut(mistaken(type)),
      judged("bogus", "signatures_invalid"),
    ),
    unresolvable(
      `port 53 shut, no signatures over ${type}`,
      shut(unsigned(type)),
      judged("bogus", "signatures_missing"),
    ),
  ]),
  unresolvable(
    "port 53 shut, a zone signed by another key than its registry names",
    shut(FRESH, {}, OLD),
    asked(),
    judged("bogus", "ds_matches_no_key"),
  ),
  unresolvable(
    "port 53 shut, a signature from long before the claim",
    shut(OLD),
    asked("witness1"),
    judged("bogus", "signatures_too_old"),
  ),
  unresolvable(
    "port 53 shut, signatures that have ended",
    shut(
      new ZoneSigner("acme.test", {
        period: { inception: NOW - 7200, expiration: NOW - 3600 },
      }),
    ),
    judged("bogus", "signatures_expired"),
  ),
  unresolvable(
    "port 53 shut, the resolvers forge the record",
    shut(FRESH, { records: [], witnesses: three({ behaviour: lying }) }),
    asked("witness1"),
    judged("bogus", "signatures_missing"),
  ),
  unresolvable(
    "port 53 shut, no resolver with DNSSEC",
    shut(FRESH, { witnesses: three({ behaviour: bare }) }),
    asked(),
  ),
  unresolvable(
    "port 53 shut, the resolvers over TLS",
    shut(FRESH, { secure: "tls" }),
    asked(),
    (seen) => seen.shut?.held.length === 0,
  ),
  absent(
    "port 53 shut, a signed zone without the record",
    shut(FRESH, { records: [] }),
    { answer: { type: "nxdomain" } },
    asked("witness1"),
    waits(-LATER, 0),
    (seen) => seen.shut?.held.some(({ until }) => until - seen.at >= 290_000) === true,
  ),
  absent(
    "port 53 shut, the first resolver still has the denial cached",
    shut(FRESH, { records: [], overHttps: holding(LATER) }),
    asked("witness2"),
  ),
  absent(
    "port 53 shut, it is the turn of the resolver that was asked longest ago",
    shut(FRESH, { records: [], overHttps: holding(3, 1, 2) }),
    asked("witness2"),
  ),
  absent(
    "port 53 shut, the last resolver that may be asked",
    shut(FRESH, { records: [], overHttps: holding(LATER, LATER, 0) }),
    asked("witness3"),
    waits(290, 310),
  ),
  absent(
    "port 53 shut, a denial for a week is kept for three hours",
    shut(FRESH, { records: [], witnesses: [{ behaviour: stubborn }] }),
    waits(10_700, 10_810),
  ),
  unresolvable(
    "port 53 shut, every resolver still has the denial cached",
    shut(FRESH, { overHttps: holding(LATER, LATER, LATER + 60_000) }),
    asked(),
    (seen) => askableFrom(seen) === LATER,
  ),
  comesTo("absent no_matching_record")(
    "port 53 shut, another signed value",
    shut(FRESH, { records: [txt(NAME, "another")] }),
    { values: ["another"] },
    judged("bogus", "value_absent"),
  ),
  comesTo("absent cname_conflict")(
    "port 53 shut, an alias at the name",
    shut(FRESH, { records: [{ name: NAME, type: "CNAME", data: "other.test" }] }),
    { target: "other.test" },
  ),
  lame(
    "port 53 shut, a name that no registry delegates",
    shut(null, { domain: "none.test", zone: "acme.test" }),
    { nameservers: [] },
  ),
  // An attacker who silences the servers of the zone, or of its registry, gains nothing.
  lame(
    "the servers of a signed zone silenced, the root heard",
    shut(FRESH, { root: {}, tld: {} }),
    ordinary,
  ),
  unresolvable("the registry silenced, the root heard", shut(FRESH, { root: {} }), ordinary),
  unresolvable(
    "the root heard over TCP alone",
    shut(FRESH, { root: { udp: "closed" } }),
    ordinary,
    (seen) => seen.exchanges.some(({ transport, rcode: code }) => transport === "tcp" && code),
  ),
  unresolvable(
    "the root refuses, and nothing else answers",
    shut(FRESH, { root: { behaviour: rcode(5) } }),
    ordinary,
  ),
  unresolvable("port 53 shut, and no claim that signatures may prove", WITHOUT_CLAIM, ordinary),
];
