import type { WitnessAddress } from "@deed/dns/resolve/reader.ts";
import { Authority } from "@deed/dns/testing/certificates.ts";
import { resolving } from "@deed/dns/testing/faults.ts";
import { LabServer } from "@deed/dns/testing/lab-server.ts";
import { delegation, labZone } from "@deed/dns/testing/lab-zone.ts";
import type { Security } from "@deed/dns/wire/secure.ts";
import { type Answer, decode, encode } from "dns-packet";
import { LABEL, TOKEN } from "../case.ts";
import type { Lab } from "../lab.ts";
import { UNBOUNDS } from "../unbound.ts";
import { KNOTS } from "../zones.ts";
import { type Front, forward, openFront } from "./front.ts";
import { addressesOf, BACKENDS, type Host, nameOf, TLDS, type Tld } from "./hosts.ts";
import { type Manner, withFlags } from "./manners.ts";
import type { Resolvers, Row } from "./row.ts";

const TRUE: string[] = UNBOUNDS.map(({ address }) => address);
const at = (first: number) => UNBOUNDS.map((_, index) => `127.0.41.${first + index}`);
const IMPERSONATED = at(21);
const IN_PLAIN = at(31);
const GULLIBLE = at(41);
const FORGED = at(51);
const [FORGED_ROOT, FORGED_REGISTRY] = ["127.0.41.1", "127.0.41.2"];
const [ROOT_TO_STRIPPED, STRIPPED_REGISTRY] = ["127.0.41.3", "127.0.41.4"];
const [ROOT_TO_DIVERTED, DIVERTED_REGISTRY] = ["127.0.41.5", "127.0.41.6"];
/** Types in a signed zone cut: RFC 4035 section 3.1.4. */
const DNSSEC_TYPES: string[] = ["DS", "RRSIG", "NSEC", "NSEC3"];

const CD = 0x10;
const AD = 0x20;

/** A domain that forgers answer for, and its nameserver in their version. */
type Forged = { name: string; host: Host; tld: Tld };

/** A root and registries that delegate these domains to a server with the token. */
function forgedAuthorities(forged: readonly Forged[]): LabServer[] {
  const registries = TLDS.map((tld) =>
    labZone(tld, { [`ns.${tld}`]: [FORGED_REGISTRY] }, [
      ...forged
        .filter((one) => one.tld === tld)
        .flatMap(({ name }) => delegation(name, { [nameOf("has1", tld)]: addressesOf("has1") })),
    ]),
  );
  const root = labZone(
    ".",
    { "a.root": [FORGED_ROOT] },
    TLDS.flatMap((tld) => delegation(tld, { [`ns.${tld}`]: [FORGED_REGISTRY] })),
  );
  return [new LabServer(FORGED_ROOT, [root]), new LabServer(FORGED_REGISTRY, registries)];
}

const octets = (address: string) => Buffer.from(address.split(".").map(Number));

/** Replaces octets of addresses in answers. No signature covers glue. */
const diverting = (from: string, to: string): Manner => ({
  answer: async (turn) => {
    const bytes = await turn.ask();
    const [old, other] = [octets(from), octets(to)];
    for (let at = bytes?.indexOf(old) ?? -1; bytes && at > 0; at = bytes.indexOf(old, at + 1))
      bytes.set(other, at);
    return bytes;
  },
});

/** The true registries, without any sign of whether a zone is signed. */
const stripping: Manner = {
  answer: async (turn) => {
    const bytes = await turn.ask();
    if (!bytes || /^(com|example)$/.test(turn.name)) return bytes;
    const packet = decode(bytes);
    const left = (records: Answer[] = []) =>
      records.filter(({ type }) => !DNSSEC_TYPES.includes(type));
    return encode({
      ...packet,
      flags: (packet.flags ?? 0) & 0xfff,
      answers: left(packet.answers),
      authorities: left(packet.authorities),
    });
  },
};

/** Sets CD in questions, and sets (forged) or clears AD in answers. */
const meddler = (address: string, port: number, isForged: boolean): Manner => ({
  answer: async (turn) => {
    const bytes = withFlags(turn.bytes, { set: CD });
    const answer = await forward({ ...turn, bytes }, address, port);
    return answer && withFlags(answer, isForged ? { set: AD, clear: CD } : { clear: CD | AD });
  },
});

/** Opens the paths between the reader and the resolvers. `forged`: the domains that forgers answer for. */
export async function openPaths(lab: Lab, forged: readonly Forged[]) {
  const { plain, tls, https } = lab.ports;
  const open: Front[] = [];
  const serve = async (server: LabServer, port: number) => {
    await server.listen(port);
    open.push(server);
  };
  const zones = forged.map(({ name, host, tld }) =>
    labZone(name, { [nameOf(host, tld)]: [] }, [
      { name: `${LABEL}.${name}`, type: "TXT", data: TOKEN },
    ]),
  );
  const certificate = new Authority().issue(IMPERSONATED);
  for (const [index, { address }] of UNBOUNDS.entries()) {
    const [impersonated = "", inPlain = ""] = [IMPERSONATED[index], IN_PLAIN[index]];
    for (const [transport, port] of [
      ["tls", tls],
      ["https", https],
    ] as const)
      await serve(
        new LabServer(impersonated, zones, {
          behaviour: resolving,
          secure: { transport, certificate },
        }),
        port,
      );
    await serve(new LabServer(inPlain, zones, { behaviour: resolving }), plain);
    const behind = { own: address, has: address, not: address };
    for (const where of [GULLIBLE, FORGED])
      open.push(
        await openFront(
          where[index] ?? "",
          plain,
          meddler(address, plain, where === FORGED),
          behind,
        ),
      );
  }
  for (const server of forgedAuthorities(forged)) await serve(server, plain);
  for (const [where, manner, own] of [
    [ROOT_TO_STRIPPED, diverting(KNOTS.tld.address, STRIPPED_REGISTRY), KNOTS.root.address],
    [ROOT_TO_DIVERTED, diverting(KNOTS.tld.address, DIVERTED_REGISTRY), KNOTS.root.address],
    [STRIPPED_REGISTRY, stripping, KNOTS.tld.address],
    [DIVERTED_REGISTRY, diverting(BACKENDS.not, BACKENDS.has), KNOTS.tld.address],
  ] as const)
    open.push(await openFront(where, plain, manner, { own, has: own, not: own }));

  const witnesses = (addresses = TRUE, port = plain, secure?: Security): WitnessAddress[] =>
    UNBOUNDS.map(({ name }, index) => ({
      name,
      address: addresses[index] ?? "",
      port,
      ...(secure && { secure }),
    }));
  const overTls: Security = { transport: "tls", host: null, path: "" };
  const overHttps: Security = { transport: "https", host: null, path: "/dns-query" };
  return {
    /** The reader's resolvers by row, and its root. */
    witnesses: {
      unbound: witnesses(),
      none: [],
      gullible: witnesses(GULLIBLE),
      forged: witnesses(FORGED),
      tls: witnesses(TRUE, tls, overTls),
      https: witnesses(TRUE, https, overHttps),
      impersonatedTls: witnesses(IMPERSONATED, tls, overTls),
      impersonatedHttps: witnesses(IMPERSONATED, https, overHttps),
      impersonated: witnesses(IN_PLAIN),
    } satisfies Record<Resolvers, WitnessAddress[]>,
    roots: {
      forged: [{ host: "a.root", addresses: [FORGED_ROOT] }],
      stripped: [{ host: KNOTS.root.host, addresses: [ROOT_TO_STRIPPED] }],
      diverted: [{ host: KNOTS.root.host, addresses: [ROOT_TO_DIVERTED] }],
    } satisfies Record<NonNullable<Row["uplink"]>, object>,
    close: () => {
      for (const one of open) one.close();
    },
  };
}
