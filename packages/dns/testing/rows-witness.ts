import { witnessedNames } from "../verdict/publication-status.ts";
import { bogus, knowing, resolving, silent, silentAboutServers } from "./faults.ts";
import type { LabBehaviour, LabOptions } from "./lab-server.ts";
import { delegation, labZone, toAnswer } from "./lab-zone.ts";
import { NAME, type Row, row, txt } from "./rows.ts";
import type { WorldSetup } from "./world.ts";

const REAL = ["ns1.real.test", "ns2.real.test"];
const elsewhere = { behaviour: knowing("acme.test", ...REAL) };
const saying =
  (...witnesses: LabOptions[]) =>
  () => ({ witnesses });

/** The registry's answers are forged in transit and lead to servers that have the token. */
const forgedDelegation = (witnesses: LabOptions[]): Row["setup"] => {
  return (net) => {
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
};

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

const over =
  (secure: "tls" | "https", setup: WorldSetup = {}) =>
  () => ({ ...setup, secure });
const onlyOver =
  (transport: string): Row["shows"] =>
  (seen) => {
    const asked = seen.exchanges.filter(({ server }) => server.startsWith("witness"));
    return asked.length === 5 && asked.every((one) => one.transport === transport);
  };

const allUntrusted: Row["shows"] = (seen, world) =>
  seen.witnesses?.map(({ result }) => result).join() === "untrusted,untrusted,untrusted" &&
  [20, 21, 22].every((host) => world.seenBy(host) === 0);

/** Possible answers of the witnesses, and the transports to reach them. */
export const WITNESS_ROWS: Row[] = [
  row(
    "signatures broken",
    saying({ behaviour: bogus }, { behaviour: bogus }, {}),
    "absent servfail",
    {},
    (seen) => {
      const first = seen.witnesses?.[0];
      return (
        first?.uncheckedRcode === "NOERROR" &&
        first.extendedErrors[0]?.code === 10 &&
        first.extendedErrors[0].text === "no signatures"
      );
    },
  ),
  row(
    "two witnesses of three silent",
    saying({ behaviour: silent }, { behaviour: silent }, {}),
    "unresolvable",
  ),
  row("one witness of three silent", saying({ behaviour: silent }, {}, {}), "found"),
  row("no witness configured", saying(), "found", {}, (seen) => seen.witnesses?.length === 0),
  row("the witnesses know other nameservers", saying(elsewhere, elsewhere, {}), "unresolvable"),
  row("one witness of three knows other nameservers", saying(elsewhere, {}, {}), "found"),
  row(
    "the witnesses know one nameserver of two",
    saying(...Array(3).fill({ behaviour: knowing("acme.test", "ns2.acme.test", "x.test") })),
    "absent nameserver_sync, then found",
  ),
  row(
    "the zone names localhost as its nameserver, and the witnesses know it by that",
    { ownNameservers: { localhost: [] } },
    "absent not_published",
    {
      nameservers: ["localhost"],
      publishedOn: ["ns1.acme.test", "ns2.acme.test"],
      elsewhere: { type: "listed" },
    },
  ),
  row(
    "the witnesses know no nameserver",
    saying(...Array(3).fill({ behaviour: knowing("acme.test") })),
    "found",
  ),
  row(
    "two witnesses of three do not say which nameservers they know",
    saying({ behaviour: silentAboutServers }, { behaviour: silentAboutServers }, {}),
    "found",
    {},
    (seen) => seen.witnesses?.map((one) => one.nameservers === null).join() === "true,true,false",
  ),
  row(
    "a forged delegation, the witnesses honest",
    forgedDelegation([{}, {}, {}]),
    "absent negative_cache",
    {},
    (seen) => seen.confirmation?.confirmed === true,
  ),
  row(
    "a forged delegation, the witnesses deceived",
    forgedDelegation(Array(3).fill({ behaviour: fooled })),
    "unresolvable",
    {},
    (seen) => seen.confirmation?.confirmed === true && witnessedNames(seen)?.join() === REAL.join(),
  ),
  row("witnesses over HTTPS", over("https"), "found", {}, onlyOver("https")),
  row("witnesses over TLS", over("tls"), "found", {}, onlyOver("tls")),
  row(
    "two witnesses of three unreachable over HTTPS",
    over("https", { witnesses: [{ tcp: "closed" }, { tcp: "closed" }, {}] }),
    "unresolvable",
    {},
    (seen) => seen.witnesses?.[0]?.result === "refused",
  ),
  row(
    "one witness of three unreachable over HTTPS",
    over("https", { witnesses: [{ tcp: "closed" }, {}, {}] }),
    "found",
  ),
  row(
    "two witnesses of three silent over TLS",
    over("tls", { witnesses: [{ behaviour: silent }, { behaviour: silent }, {}] }),
    "unresolvable",
    {},
    (seen) => seen.witnesses?.[0]?.result === "timeout",
  ),
  ...(["https", "tls"] as const).map((transport) =>
    row(
      `a certificate of somebody else's over ${transport.toUpperCase()}`,
      over(transport, { certified: "192.0.2.1" }),
      "unresolvable",
      {},
      allUntrusted,
    ),
  ),
];
