import type { History } from "../verdict/history.ts";
import { altered, knowing, rcode, silent } from "./faults.ts";
import type { LabOptions } from "./lab-server.ts";
import { type LabZone, labZone, toAnswer } from "./lab-zone.ts";
import {
  absent,
  address,
  comesTo,
  each,
  found,
  foundLater,
  NAME,
  nameservers,
  type Row,
  syncing,
  three,
  txt,
  unpublished,
} from "./rows.ts";
import type { Net, WorldSetup } from "./world.ts";

const [NS1, NS2, NS3] = ["ns1.acme.test", "ns2.acme.test", "ns3.acme.test"] as const;
type Servers = NonNullable<WorldSetup["servers"]>;

/** The zone without the record. */
const bare = (net: Net, count: number, serial?: number): LabZone =>
  labZone("acme.test", nameservers(net, count), [], serial);

/** Three nameservers, the first with the record; `rest` sets the behaviour of the others. */
const ofThree =
  (rest: (net: Net) => Servers, history: Partial<History> = {}) =>
  (net: Net) => ({
    nameservers: nameservers(net, 3),
    servers: { 5: {}, ...rest(net) },
    history,
  });

const without = (net: Net) => ({ zones: [bare(net, 3)] });
const bothSilent = () => ({ 4: { behaviour: silent }, 5: { behaviour: rcode(5) } });
const oneSilent = (net: Net) => ({ 4: without(net), 5: { behaviour: silent } });
const outlasted = { partialSince: 0 };
const noAnswer = (...servers: [host: string, result: string][]) => ({
  publishedOn: [NS1],
  noAnswer: servers.map(([host, result]) => ({ host, result })),
});
const NEITHER = { nameservers: [], ...noAnswer([NS2, "timeout"], [NS3, "refused"]) };
const ONE_LACKS = { nameservers: [NS2], ...noAnswer([NS3, "timeout"]) };

const SILENCE_ROWS: Row[] = [
  syncing("two nameservers of three silent: their answer is awaited", ofThree(bothSilent), NEITHER),
  unpublished(
    "two nameservers of three silent for longer than the wait",
    ofThree(bothSilent, outlasted),
    NEITHER,
  ),
  unpublished(
    "a nameserver whose copy has a higher serial than the one with the record",
    ofThree(
      (net) => ({ 4: { zones: [bare(net, 3, 2024060101)] }, 5: { behaviour: silent } }),
      outlasted,
    ),
    {
      nameservers: [NS2],
      stuck: { host: NS2, serial: 2024060101, published: { host: NS1, serial: 7 } },
    },
  ),
  syncing(
    "one nameserver of three without the record, one silent: the first is awaited",
    ofThree(oneSilent),
    ONE_LACKS,
  ),
  unpublished(
    "one nameserver of three without the record for longer than the wait, one silent, none ahead",
    ofThree(oneSilent, outlasted),
    { ...ONE_LACKS, stuck: undefined },
  ),
  syncing(
    "one nameserver of three without the record, none silent",
    ofThree((net) => ({ 4: without(net) })),
    { nameservers: [NS2], publishedOn: [NS1, NS3], noAnswer: undefined },
  ),
  foundLater(
    "a single silent nameserver of three",
    ofThree(() => ({ 5: { behaviour: silent } })),
    (seen) => seen.servers[2]?.result === "timeout",
  ),
  foundLater("a single silent nameserver of two, after a sync that outlasted its wait", {
    servers: { 4: { behaviour: silent } },
    history: outlasted,
  }),
];

const FIRST = Date.UTC(2026, 2, 12, 14, 3);
const STOOD = { firstSerial: 7, serialSince: FIRST };

const SERIAL_ROWS: Row[] = [
  unpublished(
    "an unmoved serial at the second read",
    { records: [], history: STOOD },
    {
      nameservers: [NS1, NS2],
      publishedOn: [],
      serial: 7,
      unchanged: true,
      since: "2026-03-12T14:03:00.000Z",
    },
  ),
  ...[0, 1].map((serial) =>
    absent(`a serial of ${serial}, which tells nothing`, (net) => ({
      records: [],
      servers: each({ zones: [bare(net, 2, serial)] }),
      history: { firstSerial: serial, serialSince: FIRST },
    })),
  ),
  absent("an unmoved serial under which a read saw a record come or go", {
    records: [],
    history: { firstSerial: 7 },
  }),
  absent(
    "an unmoved serial although the name has another record",
    { records: [address(NAME, "192.0.2.1")], history: STOOD },
    { answer: { type: "nodata", types: ["A"] } },
  ),
  absent("a serial that moved", { records: [], history: { ...STOOD, firstSerial: 6 } }),
  absent("a serial that moved on one nameserver of two", (net) => ({
    records: [],
    servers: { 4: { zones: [bare(net, 2, 8)] } },
    history: STOOD,
  })),
];

/** A resolver that gets its answers from another view of the zone: no record, or another text. */
const viewing = (...texts: string[]): LabOptions => ({
  behaviour: altered((answer, query) =>
    query.type === "TXT"
      ? {
          ...answer,
          aa: false,
          rcode: texts.length > 0 ? 0 : 3,
          answers: texts.map((text) => toAnswer(txt(query.name, text))),
        }
      : answer,
  ),
});
const [nothing, otherText] = [viewing(), viewing("x")];
const OLD = "ns.old.test";
const moved: LabOptions = {
  behaviour: async (query, server) =>
    query.type === "TXT"
      ? ((await nothing.behaviour?.(query, server)) ?? [])
      : knowing("acme.test", OLD)(query, server),
};
const OVERDUE = { resolversDue: 0 };
const NXDOMAIN = { answer: { type: "nxdomain" } };
const cached = comesTo("absent negative_cache");

const VIEW_ROWS: Row[] = [
  unpublished(
    "resolvers get another answer for longer than they may remember one",
    { witnesses: [nothing, otherText, {}], history: OVERDUE },
    {
      nameservers: [],
      publishedOn: [NS1, NS2],
      resolvers: [
        { name: "witness1", ...NXDOMAIN },
        { name: "witness2", answer: { type: "values", values: ["x"] } },
      ],
    },
  ),
  unpublished(
    "resolvers ask other nameservers for longer than they may remember them",
    { witnesses: three(moved), history: OVERDUE },
    {
      resolvers: ["witness1", "witness2", "witness3"].map((name) => ({
        name,
        ...NXDOMAIN,
        nameservers: [OLD],
      })),
    },
  ),
  cached("resolvers get another answer, and may still remember one", {
    witnesses: [nothing, otherText, {}],
    history: { resolversDue: Date.now() + 600_000 },
  }),
  cached("resolvers get another answer at the first read", { witnesses: [nothing, nothing, {}] }),
  found("one resolver of three gets another answer for long", {
    witnesses: [nothing, {}, {}],
    history: OVERDUE,
  }),
  syncing(
    "a nameserver without the record again, after resolver caches expired",
    (net) => ({ servers: { 4: { zones: [bare(net, 2)] } }, history: OVERDUE }),
    { nameservers: [NS2], publishedOn: [NS1] },
  ),
];

/** Records that are not on every server or not visible to everybody: silence, stuck serials, views. */
export const LAG_ROWS: Row[] = [...SILENCE_ROWS, ...SERIAL_ROWS, ...VIEW_ROWS];
