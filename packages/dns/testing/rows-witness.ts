import { witnessedNames } from "../verdict/publication-status.ts";
import { bogus, knowing, resolving, silent, silentAboutServers } from "./faults.ts";
import type { LabBehaviour, LabOptions } from "./lab-server.ts";
import { delegation, labZone, toAnswer } from "./lab-zone.ts";
import type { Row } from "./rows.ts";
import { LABEL, TOKEN, type WorldSetup } from "./world.ts";

const REAL = ["ns1.real.test", "ns2.real.test"];
const elsewhere = { behaviour: knowing("acme.test", ...REAL) };
const saying =
  (...witnesses: LabOptions[]) =>
  () => ({ witnesses });

/** The registry's answers are forged in transit and lead to servers that have the token. */
const forgedDelegation = (witnesses: LabOptions[]): Row["setup"] => {
  return (net) => {
    const forged = { "ns1.forged.test": [net.at(6)], "ns2.forged.test": [net.at(7)] };
    const zones = [
      labZone("acme.test", forged, [{ name: `${LABEL}.acme.test`, type: "TXT", data: TOKEN }]),
    ];
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
          answers: [toAnswer({ name: query.name, type: "TXT", data: TOKEN })],
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
  {
    name: "signatures broken",
    setup: saying({ behaviour: bogus }, { behaviour: bogus }, {}),
    expected: "absent servfail",
    shows: (seen) => {
      const first = seen.witnesses?.[0];
      return (
        first?.uncheckedRcode === "NOERROR" &&
        first.extendedErrors[0]?.code === 10 &&
        first.extendedErrors[0].text === "no signatures"
      );
    },
  },
  {
    name: "two witnesses of three silent",
    setup: saying({ behaviour: silent }, { behaviour: silent }, {}),
    expected: "unresolvable",
  },
  {
    name: "one witness of three silent",
    setup: saying({ behaviour: silent }, {}, {}),
    expected: "found",
  },
  {
    name: "no witness configured",
    setup: saying(),
    expected: "found",
    shows: (seen) => seen.witnesses?.length === 0,
  },
  {
    name: "the witnesses know other nameservers",
    setup: saying(elsewhere, elsewhere, {}),
    expected: "unresolvable",
  },
  {
    name: "one witness of three knows other nameservers",
    setup: saying(elsewhere, {}, {}),
    expected: "found",
  },
  {
    name: "the witnesses know one nameserver of two",
    setup: saying(...Array(3).fill({ behaviour: knowing("acme.test", "ns2.acme.test", "x.test") })),
    expected: "absent nameserver_sync, then found",
  },
  {
    name: "the zone names localhost as its nameserver, and the witnesses know it by that",
    setup: () => ({ ownNameservers: { localhost: [] } }),
    expected: "absent not_published",
    observed: () => ({
      nameservers: ["localhost"],
      publishedOn: ["ns1.acme.test", "ns2.acme.test"],
      elsewhere: { type: "listed" },
    }),
  },
  {
    name: "the witnesses know no nameserver",
    setup: saying(...Array(3).fill({ behaviour: knowing("acme.test") })),
    expected: "found",
  },
  {
    name: "two witnesses of three do not say which nameservers they know",
    setup: saying({ behaviour: silentAboutServers }, { behaviour: silentAboutServers }, {}),
    expected: "found",
    shows: (seen) =>
      seen.witnesses?.map((one) => one.nameservers === null).join() === "true,true,false",
  },
  {
    name: "a forged delegation, the witnesses honest",
    setup: forgedDelegation([{}, {}, {}]),
    expected: "absent negative_cache",
    shows: (seen) => seen.confirmation?.confirmed === true,
  },
  {
    name: "a forged delegation, the witnesses deceived",
    setup: forgedDelegation(Array(3).fill({ behaviour: fooled })),
    expected: "unresolvable",
    shows: (seen) =>
      seen.confirmation?.confirmed === true && witnessedNames(seen)?.join() === REAL.join(),
  },
  {
    name: "witnesses over HTTPS",
    setup: over("https"),
    expected: "found",
    shows: onlyOver("https"),
  },
  { name: "witnesses over TLS", setup: over("tls"), expected: "found", shows: onlyOver("tls") },
  {
    name: "two witnesses of three unreachable over HTTPS",
    setup: over("https", { witnesses: [{ tcp: "closed" }, { tcp: "closed" }, {}] }),
    expected: "unresolvable",
    shows: (seen) => seen.witnesses?.[0]?.result === "refused",
  },
  {
    name: "one witness of three unreachable over HTTPS",
    setup: over("https", { witnesses: [{ tcp: "closed" }, {}, {}] }),
    expected: "found",
  },
  {
    name: "two witnesses of three silent over TLS",
    setup: over("tls", { witnesses: [{ behaviour: silent }, { behaviour: silent }, {}] }),
    expected: "unresolvable",
    shows: (seen) => seen.witnesses?.[0]?.result === "timeout",
  },
  ...(["https", "tls"] as const).map((transport) => ({
    name: `a certificate of somebody else's over ${transport.toUpperCase()}`,
    setup: over(transport, { certified: "192.0.2.1" }),
    expected: "unresolvable",
    shows: allUntrusted,
  })),
];
