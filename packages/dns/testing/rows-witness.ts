import { majorityHosts } from "../verdict/publication-status.ts";
import { isOf, knowing, opt, resolver, resolving, saying, silent, where } from "./faults.ts";
import type { LabBehaviour, LabServer } from "./lab-server.ts";
import { toAnswer } from "./lab-zone.ts";
import { rowsOf } from "./row-lines.ts";
import { type Row, type Shows, txt } from "./rows.ts";

const expired = saying({ rcode: 3, aa: false, additionals: [opt(15, Buffer.from([0, 19]))] });
/** Servers that have asked again. */
const renewed = new WeakSet<LabServer>();
const lying = resolver((_, { name }) => ({ rcode: 0, answers: [toAnswer(txt(name))] }));
const behaviours: Record<string, LabBehaviour> = {
  /** First answers with expired data, and says so (RFC 8767, RFC 8914 section 4.20). */
  "expired-first": (query, server) => {
    if (query.type !== "TXT" || renewed.has(server)) return resolving(query, server);
    renewed.add(server);
    return expired(query, server);
  },
  "knows-others": knowing("acme.test", "ns1.real.test", "ns2.real.test"),
  "knows-one": knowing("acme.test", "ns2.acme.test", "x.test"),
  "knows-none": knowing("acme.test"),
  "silent-about-servers": where(isOf("NS"), silent, resolving),
  /** Wrong only about the token. */
  fooled: where(isOf("TXT"), lying, resolving),
};
const onlyOver =
  (transport: string): Shows =>
  (seen) => {
    const asked = seen.exchanges.filter(({ server }) => server.startsWith("witness"));
    return asked.length === 5 && asked.every((one) => one.transport === transport);
  };
const shows: Record<string, Shows> = {
  "only HTTPS": onlyOver("https"),
  "only TLS": onlyOver("tls"),
  "a named fault": ({ witnesses }) => {
    const [error] = witnesses?.[0]?.extendedErrors ?? [];
    return error?.code === 10 && error.text === "no signatures";
  },
  "the third with the record": ({ named }) =>
    named?.map(({ host, result }) => `${host} ${result}`).join() === "ns3.acme.test answered",
  "two without names": ({ witnesses }) =>
    witnesses?.map((one) => one.nameservers === null).join() === "true,true,false",
  "real names": (seen) => majorityHosts(seen)?.join() === "ns1.real.test,ns2.real.test",
  "nobody asked": (_seen, world) => [20, 21, 22].every((host) => world.seenBy(host) === 0),
};
/** The registry's answers are forged in transit and lead to servers that have the token. */
const FORGED = `no records | listed ns1.forged.test. .6, ns2.forged.test. .7
  own ns1.real.test., ns2.real.test. | tld forged.test. NS ns1.forged.test. .6, ns2.forged.test. .7
  at 6,7 zone acme.test. ns1.forged.test. .6, ns2.forged.test. .7 | + _ TXT
  sees {confirmation: {confirmed: true}}`;

/** Possible answers of the witnesses, and the transports to reach them. */
export const WITNESS_ROWS: Row[] = rowsOf(
  { behaviours, shows },
  `
servfail: signatures broken | witnesses bogus / bogus / honest | shows a named fault
  sees {witnesses: [{uncheckedRcode: NOERROR}, {}, {}]}
unresolvable: two witnesses of three silent | witnesses silent / silent / honest
found: witnesses that answer from what has expired, and are asked once more
  witnesses expired-first
found: no witness configured | no witnesses | sees {witnesses: []}
unresolvable: the witnesses know other nameservers | witnesses knows-others / knows-others / honest
found: one witness of three knows other nameservers | witnesses knows-others / honest / honest
nameserver_sync+found: the witnesses know one nameserver of two | witnesses knows-one
not_published: the zone names localhost as its nameserver, and the witnesses know it by that
  own localhost. | tells {nameservers: [localhost], publishedOn: [ns1.acme.test, ns2.acme.test]}
  tells {elsewhere: {type: listed}}
found: the witnesses know one nameserver more, which has the record | own 3 | at 5
  shows the third with the record
found: the witnesses know no nameserver | witnesses knows-none
found: two witnesses of three do not say which nameservers they know | shows two without names
  witnesses silent-about-servers / silent-about-servers / honest
negative_cache: a forged delegation, the witnesses honest
  ${FORGED}
unresolvable: a forged delegation, the witnesses deceived | witnesses fooled | shows real names
  ${FORGED}
found: witnesses over HTTPS | over https | shows only HTTPS
found: witnesses over TLS | over tls | shows only TLS
unresolvable: two witnesses of three unreachable over HTTPS | over https
  witnesses no-tcp / no-tcp / honest
  sees {witnesses: [{result: refused}, {result: refused}, {result: answered}]}
unresolvable: a certificate of somebody else's | over https | certified 192.0.2.1
  sees {witnesses: [{result: untrusted}, {result: untrusted}, {result: untrusted}]}
  shows nobody asked
`,
);
