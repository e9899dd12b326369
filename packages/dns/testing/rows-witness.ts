import { witnessedNames } from "../verdict/publication-status.ts";
import { bogus, knowing, resolving, silent, silentAboutServers } from "./faults.ts";
import type { LabBehaviour, LabOptions } from "./lab-server.ts";
import { delegation, labZone, toAnswer } from "./lab-zone.ts";
import {
  comesTo,
  found,
  foundLater,
  NAME,
  nameservers,
  type Row,
  type Setup,
  type Shows,
  three,
  txt,
  unpublished,
  unresolvable,
} from "./rows.ts";

const REAL = ["ns1.real.test", "ns2.real.test"];
const MUTE = { behaviour: silent };
const CLOSED = { tcp: "closed" } as const;
const elsewhere = { behaviour: knowing("acme.test", ...REAL) };
const saying = (...witnesses: LabOptions[]) => ({ witnesses });

/** The registry's answers are forged in transit and lead to servers that have the token. */
const forgedDelegation =
  (witnesses: LabOptions[]): Setup =>
  (net) => {
    const forged = { "ns1.forged.test": [net.at(6)], "ns2.forged.test": [net.at(7)] };
    const zones = [labZone("acme.test", forged, [txt(NAME)])];
    return {
      nameservers: forged,
      ownNameservers: Object.fromEntries(REAL.map((host) => [host, []])),
      records: [],
      tld: { records: delegation("forged.test", forged) },
      servers: { 6: { zones }, 7: { zones } },
      witnesses,
    };
  };
const confirmed: Shows = (seen) => seen.confirmation?.confirmed === true;

/** A resolver deceived about the token and nothing else. */
const fooled: LabBehaviour = async (query, server) =>
  query.type === "TXT"
    ? [
        server.honest(query, (answer) => ({
          ...answer,
          aa: false,
          rcode: 0,
          answers: [toAnswer(txt(query.name))],
        })),
      ]
    : resolving(query, server);

const onlyOver =
  (transport: string): Shows =>
  (seen) => {
    const asked = seen.exchanges.filter(({ server }) => server.startsWith("witness"));
    return asked.length === 5 && asked.every((one) => one.transport === transport);
  };
const firstIs =
  (result: string): Shows =>
  (seen) =>
    seen.witnesses?.[0]?.result === result;

const THIRD = "ns3.acme.test answered";

/** Possible answers of the witnesses, and the transports to reach them. */
export const WITNESS_ROWS: Row[] = [
  comesTo("absent servfail")(
    "signatures broken",
    saying({ behaviour: bogus }, { behaviour: bogus }, {}),
    (seen) => {
      const first = seen.witnesses?.[0];
      const error = first?.extendedErrors[0];
      const isNamed = error?.code === 10 && error.text === "no signatures";
      return isNamed && first?.uncheckedRcode === "NOERROR";
    },
  ),
  unresolvable("two witnesses of three silent", saying(MUTE, MUTE, {})),
  found("one witness of three silent", saying(MUTE, {}, {})),
  found("no witness configured", saying(), (seen) => seen.witnesses?.length === 0),
  unresolvable("the witnesses know other nameservers", saying(elsewhere, elsewhere, {})),
  found("one witness of three knows other nameservers", saying(elsewhere, {}, {})),
  foundLater("the witnesses know one nameserver of two", {
    witnesses: three({ behaviour: knowing("acme.test", "ns2.acme.test", "x.test") }),
  }),
  unpublished(
    "the zone names localhost as its nameserver, and the witnesses know it by that",
    { ownNameservers: { localhost: [] } },
    {
      nameservers: ["localhost"],
      publishedOn: ["ns1.acme.test", "ns2.acme.test"],
      elsewhere: { type: "listed" },
    },
  ),
  found(
    "the witnesses know one nameserver more, which has the record",
    (net) => ({ ownNameservers: nameservers(net, 3), servers: { 5: {} } }),
    (seen) => seen.named?.map(({ host, result }) => `${host} ${result}`).join() === THIRD,
  ),
  found("the witnesses know no nameserver", {
    witnesses: three({ behaviour: knowing("acme.test") }),
  }),
  found(
    "two witnesses of three do not say which nameservers they know",
    saying({ behaviour: silentAboutServers }, { behaviour: silentAboutServers }, {}),
    (seen) => seen.witnesses?.map((one) => one.nameservers === null).join() === "true,true,false",
  ),
  comesTo("absent negative_cache")(
    "a forged delegation, the witnesses honest",
    forgedDelegation([{}, {}, {}]),
    confirmed,
  ),
  unresolvable(
    "a forged delegation, the witnesses deceived",
    forgedDelegation(three({ behaviour: fooled })),
    confirmed,
    (seen) => witnessedNames(seen)?.join() === REAL.join(),
  ),
  found("witnesses over HTTPS", { secure: "https" }, onlyOver("https")),
  found("witnesses over TLS", { secure: "tls" }, onlyOver("tls")),
  unresolvable(
    "two witnesses of three unreachable over HTTPS",
    { ...saying(CLOSED, CLOSED, {}), secure: "https" },
    firstIs("refused"),
  ),
  found("one witness of three unreachable over HTTPS", {
    ...saying(CLOSED, {}, {}),
    secure: "https",
  }),
  unresolvable(
    "two witnesses of three silent over TLS",
    { ...saying(MUTE, MUTE, {}), secure: "tls" },
    firstIs("timeout"),
  ),
  ...(["https", "tls"] as const).map((secure) =>
    unresolvable(
      `a certificate of somebody else's over ${secure.toUpperCase()}`,
      { secure, certified: "192.0.2.1" },
      (seen, world) =>
        seen.witnesses?.map(({ result }) => result).join() === "untrusted,untrusted,untrusted" &&
        [20, 21, 22].every((host) => world.seenBy(host) === 0),
    ),
  ),
];
