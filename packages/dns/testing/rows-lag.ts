import { isOf, resolver, where } from "./faults.ts";
import type { LabBehaviour } from "./lab-server.ts";
import { toAnswer } from "./lab-zone.ts";
import { rowsOf } from "./row-lines.ts";
import { type Row, txt } from "./rows.ts";

/** A resolver that sees another view of the zone: no record, or another text. */
const viewing = (...texts: string[]): LabBehaviour =>
  where(
    isOf("TXT"),
    resolver((_, { name }) => ({
      rcode: texts.length > 0 ? 0 : 3,
      answers: texts.map((text) => toAnswer(txt(name, text))),
    })),
  );
const behaviours: Record<string, LabBehaviour> = {
  "sees-nothing": viewing(),
  "sees-x": viewing("x"),
};

/** Three nameservers, the first with the record: the other two are silent or refuse, or only the second lacks it. */
const BOTH_SILENT = "listed 3 | at 4 silent | at 5 rcode 5";
const ONE_SILENT = "listed 3 | at 4 zone acme.test. 3 | at 5 silent";
const NEITHER = `tells {nameservers: [], publishedOn: [ns1.acme.test], noAnswer: \
[{host: ns2.acme.test, result: timeout}, {host: ns3.acme.test, result: refused}]}`;
const ONE_LACKS = `tells {nameservers: [ns2.acme.test], publishedOn: [ns1.acme.test], \
noAnswer: [{host: ns3.acme.test, result: timeout}]}`;
const FIRST = Date.UTC(2026, 2, 12, 14, 3);

/** Records that are not on every server, or that not everybody sees: silence, stuck serials, views. */
export const LAG_ROWS: Row[] = rowsOf(
  { behaviours },
  `
nameserver_sync: two nameservers of three silent: their answer is awaited | ${BOTH_SILENT}
  ${NEITHER}
not_published: two nameservers of three silent for longer than the wait | ${BOTH_SILENT}
  history {partialSince: 0}
  ${NEITHER}
not_published: a nameserver whose copy has a higher serial than the one with the record
  listed 3 | at 4 zone acme.test. 3 serial 2024060101 | at 5 silent | history {partialSince: 0}
  tells {nameservers: [ns2.acme.test], stuck: {host: ns2.acme.test, serial: 2024060101, \
published: {host: ns1.acme.test, serial: 7}}}
nameserver_sync: one nameserver of three without the record, one silent: the first is awaited
  ${ONE_SILENT}
  ${ONE_LACKS}
not_published: one nameserver of three without the record for longer than the wait, one silent, \
with the same serial
  ${ONE_SILENT} | history {partialSince: 0}
  tells {stuck: {host: ns2.acme.test, serial: 7, published: {host: ns1.acme.test, serial: 7}}}
  ${ONE_LACKS}
not_published: a nameserver behind, for longer than the wait | listed 2
  at 4 zone acme.test. 2 serial 6 | history {partialSince: 0} | lacks stuck
not_published: a serial of 1 on both, which tells nothing | listed 2 | at 4 zone acme.test. 2 serial 1
  at 3 zone acme.test. 2 serial 1 | + _ TXT | history {partialSince: 0} | lacks stuck
nameserver_sync: one nameserver of three without the record, none silent | listed 3
  at 4 zone acme.test. 3 | at 5 | lacks noAnswer
  tells {nameservers: [ns2.acme.test], publishedOn: [ns1.acme.test, ns3.acme.test]}
nameserver_sync+found: a single silent nameserver of three | listed 3 | at 5 silent
  sees {servers: [{result: answered}, {result: answered}, {result: timeout}]}
nameserver_sync+found: a single silent nameserver of two, after a sync that outlasted its wait
  at 4 silent | history {partialSince: 0}
record_absent: a serial of 0, which tells nothing | no records | at 3,4 zone acme.test. 2 serial 0
  history {firstSerial: 0, serialSince: ${FIRST}}
record_absent: a serial of 1, which tells nothing | no records | at 3,4 zone acme.test. 2 serial 1
  history {firstSerial: 1, serialSince: ${FIRST}}
record_absent: a serial that moved | no records | history {firstSerial: 6, serialSince: ${FIRST}}
not_published: resolvers get another answer for longer than they may remember one
  witnesses sees-nothing / sees-x / honest | history {resolversDue: 0}
  tells {nameservers: [], publishedOn: [ns1.acme.test, ns2.acme.test]}
  tells {resolvers: [{name: witness1, answer: {type: nxdomain}}, \
{name: witness2, answer: {type: values, values: [x]}}]}
`,
);
