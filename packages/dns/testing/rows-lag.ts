import type { History, SerialMemory } from "../verdict/history.ts";
import { altered, knowing, rcode, silent } from "./faults.ts";
import type { LabOptions } from "./lab-server.ts";
import { type LabZone, labZone, toAnswer } from "./lab-zone.ts";
import { NAME, nameservers, type Row, row, txt } from "./rows.ts";
import type { Net, WorldSetup } from "./world.ts";

const NS = ["ns1.acme.test", "ns2.acme.test", "ns3.acme.test"] as const;
const [NS1, NS2, NS3] = NS;
type Servers = NonNullable<WorldSetup["servers"]>;
type Facts = Record<string, unknown>;

/** The zone without the record. */
const bare = (net: Net, count: number, serial?: number): LabZone =>
  labZone("acme.test", nameservers(net, count), [], serial);

/** Three nameservers, the first with the record; `rest` sets the behaviour of the others. */
const three = (
  name: string,
  rest: (net: Net) => Servers,
  expected: string,
  observed: Facts,
  history: Partial<History> = {},
): Row =>
  row(
    name,
    (net) => ({
      nameservers: nameservers(net, 3),
      servers: { 5: {}, ...rest(net) },
      history,
    }),
    expected,
    () => observed,
  );

const without = (net: Net) => ({ zones: [bare(net, 3)] });
const noAnswer = (...servers: [host: string, result: string][]) =>
  servers.map(([host, result]) => ({ host, result }));
const bothSilent = { 4: { behaviour: silent }, 5: { behaviour: rcode(5) } };
const outlasted = { partialSince: 0 };

const SILENCE_ROWS: Row[] = [
  three(
    "two nameservers of three silent: their answer is awaited",
    () => bothSilent,
    "absent nameserver_sync",
    {
      nameservers: [],
      publishedOn: [NS1],
      noAnswer: noAnswer([NS2, "timeout"], [NS3, "refused"]),
    },
  ),
  three(
    "two nameservers of three silent for longer than the wait",
    () => bothSilent,
    "absent not_published",
    {
      nameservers: [],
      publishedOn: [NS1],
      noAnswer: noAnswer([NS2, "timeout"], [NS3, "refused"]),
    },
    outlasted,
  ),
  three(
    "a nameserver whose copy has a higher serial than the one with the record",
    (net) => ({ 4: { zones: [bare(net, 3, 2024060101)] }, 5: { behaviour: silent } }),
    "absent not_published",
    {
      nameservers: [NS2],
      stuck: { host: NS2, serial: 2024060101, published: { host: NS1, serial: 7 } },
    },
    outlasted,
  ),
  three(
    "a nameserver whose copy has the same serial is not told as ahead",
    (net) => ({ 4: without(net), 5: { behaviour: silent } }),
    "absent not_published",
    { nameservers: [NS2], stuck: undefined },
    outlasted,
  ),
  three(
    "one nameserver of three without the record, one silent: the first is awaited",
    (net) => ({ 4: without(net), 5: { behaviour: silent } }),
    "absent nameserver_sync",
    { nameservers: [NS2], publishedOn: [NS1], noAnswer: noAnswer([NS3, "timeout"]) },
  ),
  three(
    "one nameserver of three without the record for longer than the wait, one silent",
    (net) => ({ 4: without(net), 5: { behaviour: silent } }),
    "absent not_published",
    { nameservers: [NS2], publishedOn: [NS1], noAnswer: noAnswer([NS3, "timeout"]) },
    outlasted,
  ),
  three(
    "one nameserver of three without the record, none silent",
    (net) => ({ 4: without(net) }),
    "absent nameserver_sync",
    { nameservers: [NS2], publishedOn: [NS1, NS3], noAnswer: undefined },
  ),
  three(
    "a single silent nameserver of three",
    () => ({ 5: { behaviour: silent } }),
    "absent nameserver_sync, then found",
    {},
  ),
  row(
    "a single silent nameserver of two, after a sync that outlasted its wait",
    { servers: { 4: { behaviour: silent } }, history: outlasted },
    "absent nameserver_sync, then found",
  ),
];

const memory = (counts: boolean | null, servers: SerialMemory["servers"] = []) => ({
  zone: "acme.test",
  name: NAME,
  counts,
  servers,
});
/** What an earlier read saw at ns1: its present serial, and a record that is gone. */
const GONE = { host: NS1, serial: 7, at: Date.now(), set: "another", changed: false };

const serial = (
  name: string,
  history: Partial<History>,
  expected: string,
  observed: Facts = {},
  servers: (net: Net) => Servers = () => ({}),
): Row =>
  row(
    name,
    (net) => ({
      records: [],
      servers: servers(net),
      history: { firstSerial: 7, ...history },
    }),
    expected,
    () => observed,
  );

const SERIAL_ROWS: Row[] = [
  serial(
    "an unmoved serial, in a zone known to count",
    { serials: memory(true) },
    "absent not_published",
    { nameservers: [NS1, NS2], publishedOn: [], serial: 7, unchanged: true },
  ),
  serial(
    "an unmoved serial, in a zone another claim knows to count",
    { otherSerials: () => [memory(true)] },
    "absent not_published",
    { unchanged: true },
  ),
  serial(
    "an unmoved serial, in a zone nothing is known of",
    { serials: memory(null) },
    "absent record_absent",
  ),
  serial(
    "an unmoved serial, in a zone known not to count",
    { serials: memory(false), otherSerials: () => [memory(true)] },
    "absent record_absent",
  ),
  serial(
    "a record that went while the serial stood, in a zone thought to count",
    { serials: memory(true, [GONE]) },
    "absent record_absent",
  ),
  serial(
    "a serial that moved, in a zone known to count",
    { firstSerial: 6, serials: memory(true) },
    "absent record_absent",
  ),
  serial(
    "a serial that moved on one nameserver of two, in a zone known to count",
    { serials: memory(true) },
    "absent record_absent",
    {},
    (net) => ({ 4: { zones: [bare(net, 2, 8)] } }),
  ),
];

/** A resolver that gets its answers from another view of the zone. */
const nothing: LabOptions = {
  behaviour: altered((answer, query) =>
    query.type === "TXT" ? { ...answer, aa: false, rcode: 3, answers: [] } : answer,
  ),
};
const otherText: LabOptions = {
  behaviour: altered((answer, query) =>
    query.type === "TXT"
      ? { ...answer, aa: false, answers: [toAnswer(txt(query.name, "x"))] }
      : answer,
  ),
};
const OLD = "ns.old.test";
const moved: LabOptions = {
  behaviour: async (query, server) =>
    query.type === "TXT"
      ? ((await nothing.behaviour?.(query, server)) ?? [])
      : knowing("acme.test", OLD)(query, server),
};
const OVERDUE = { resolversDue: 0 };

const view = (
  name: string,
  witnesses: LabOptions[],
  history: Partial<History>,
  expected: string,
  observed: Facts = {},
): Row => row(name, { witnesses, history }, expected, () => observed);

const VIEW_ROWS: Row[] = [
  view(
    "resolvers get another answer for longer than they may remember one",
    [nothing, otherText, {}],
    OVERDUE,
    "absent not_published",
    {
      nameservers: [],
      publishedOn: [NS1, NS2],
      resolvers: [
        { name: "witness1", answer: { type: "nxdomain" } },
        { name: "witness2", answer: { type: "values", values: ["x"] } },
      ],
    },
  ),
  view(
    "resolvers ask other nameservers for longer than they may remember them",
    [moved, moved, moved],
    OVERDUE,
    "absent not_published",
    {
      resolvers: ["witness1", "witness2", "witness3"].map((name) => ({
        name,
        answer: { type: "nxdomain" },
        nameservers: [OLD],
      })),
    },
  ),
  view(
    "resolvers get another answer, and may still remember one",
    [nothing, otherText, {}],
    { resolversDue: Date.now() + 600_000 },
    "absent negative_cache",
  ),
  view(
    "resolvers get another answer at the first read",
    [nothing, nothing, {}],
    {},
    "absent negative_cache",
  ),
  view("one resolver of three gets another answer for long", [nothing, {}, {}], OVERDUE, "found"),
  row(
    "a nameserver without the record again, after resolver caches expired",
    (net) => ({ servers: { 4: { zones: [bare(net, 2)] } }, history: OVERDUE }),
    "absent nameserver_sync",
    { nameservers: [NS2], publishedOn: [NS1] },
  ),
];

/** Records that are not on every server or not visible to everybody: silence, stuck serials, views. */
export const LAG_ROWS: Row[] = [...SILENCE_ROWS, ...SERIAL_ROWS, ...VIEW_ROWS];
