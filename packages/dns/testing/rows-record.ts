import { altered } from "./faults.ts";
import { type LabRecord, labZone } from "./lab-zone.ts";
import { cname, NAME, nameservers, type Row, txt } from "./rows.ts";
import { LABEL, TOKEN } from "./world.ts";

const row = (
  name: string,
  records: LabRecord[],
  expected: string,
  shows: Row["shows"] = () => true,
): Row => ({ name, setup: () => ({ records }), expected, shows });
const misplaced = (name: string, kind: string, at: string, expected: string): Row =>
  row(name, [txt(at)], expected, (seen) =>
    seen.misplaced.some((one) => one.kind === kind && one.name === at && one.servers.length === 2),
  );

const LABEL_63 = "a".repeat(63);
const LONG = `${LABEL_63}.${LABEL_63}.${"b".repeat(63)}.${"c".repeat(37)}.test`;

/** Possible records at the challenge name and elsewhere. */
export const RECORD_ROWS: Row[] = [
  row(
    "CNAME loop",
    [cname(NAME, `x.acme.test`), cname("x.acme.test", NAME)],
    "absent cname_conflict",
  ),
  row(
    "DNAME above the challenge name",
    [{ name: "acme.test", type: "DNAME", data: "elsewhere.test" }],
    "absent cname_conflict",
    (seen) => seen.servers[0]?.answer?.alias?.type === "DNAME",
  ),
  row(
    "CNAME to a name that has the token",
    [cname(NAME, "x.acme.test"), txt("x.acme.test")],
    "absent cname_conflict",
  ),
  row(
    "wildcard TXT with another value",
    [txt("*.acme.test", "v=spf1 -all")],
    "absent no_matching_record",
    (seen) => seen.wildcard === "*.acme.test",
  ),
  row("wildcard TXT with the token", [txt("*.acme.test")], "found"),
  row(
    "another value, no wildcard",
    [txt(NAME, "v=spf1 -all")],
    "absent no_matching_record",
    (seen) => seen.wildcard === false,
  ),
  row(
    "wildcard CNAME",
    [cname("*.acme.test", "host.example")],
    "absent cname_conflict",
    (seen) => seen.wildcard === "*.acme.test" && seen.misplaced.length === 0,
  ),
  row(
    "TXT in several strings",
    [txt(NAME, [TOKEN.slice(0, 7), TOKEN.slice(7, 20), TOKEN.slice(20)])],
    "found",
  ),
  row(
    "several TXT of which one matches",
    [txt(NAME, "v=spf1 -all"), txt(NAME), txt(NAME, "other")],
    "found",
  ),
  {
    name: "one server of two missing the record",
    setup: (net) => ({
      servers: {
        4: {
          zones: [labZone("acme.test", nameservers(net, 2))],
        },
      },
    }),
    expected: "absent nameserver_sync",
    shows: (seen) =>
      seen.soa?.serial === 7 && seen.misplaced.length === 0 && seen.witnesses === null,
  },
  row(
    "NODATA",
    [{ name: NAME, type: "A", data: "192.0.2.1" }],
    "absent record_absent",
    (seen) => seen.typesAtName.join() === "A",
  ),
  row("NXDOMAIN", [], "absent record_absent", (seen) =>
    seen.servers.every((one) => one.answer?.rcode === "NXDOMAIN"),
  ),
  row(
    "empty non-terminal",
    [txt(`x.${NAME}`, "below")],
    "absent record_absent",
    (seen) =>
      seen.typesAtName.length === 0 && seen.servers.every((one) => one.answer?.rcode === "NOERROR"),
  ),
  {
    name: "servers that deny empty non-terminals",
    setup: () => {
      const deny = {
        behaviour: altered((answer, query) =>
          query.name === "b.acme.test" ? { ...answer, rcode: 3 } : answer,
        ),
      };
      return { domain: "a.b.acme.test", zone: "acme.test", servers: { 3: deny, 4: deny } };
    },
    expected: "found",
  },
  { name: "IDN zone", setup: () => ({ domain: "xn--bcher-kva.test" }), expected: "found" },
  {
    name: "name of 234 octets",
    setup: () => ({ domain: LONG }),
    expected: "found",
    shows: (seen) => seen.domain.length === 234,
  },
  misplaced("domain appended", "domain_appended", `${NAME}.acme.test`, "absent domain_appended"),
  misplaced("record at the apex", "apex", "acme.test", "absent record_at_apex"),
  misplaced("record on www", "www", "www.acme.test", "absent record_on_www"),
  misplaced(
    "challenge on www",
    "challenge_on_www",
    `${LABEL}.www.acme.test`,
    "absent record_on_www",
  ),
  misplaced(
    "no underscore",
    "no_underscore",
    "service-challenge.acme.test",
    "absent record_absent",
  ),
  misplaced("misspelled", "misspelled", "_service_challenge.acme.test", "absent record_absent"),
  misplaced("host doubled", "host_doubled", `${LABEL}.${NAME}`, "absent record_absent"),
  {
    name: "record at the parent",
    setup: () => ({ domain: "shop.acme.test", zone: "acme.test", records: [txt(NAME)] }),
    expected: "absent record_absent",
    shows: (seen) => seen.misplaced.some((one) => one.kind === "parent" && one.name === NAME),
  },
  row("token as host", [txt(`${TOKEN}.acme.test`, LABEL)], "absent record_absent", (seen) =>
    seen.misplaced.some((one) => one.kind === "token_as_host"),
  ),
  row(
    "wildcard below www is no evidence",
    [txt("*.www.acme.test"), txt(`*.${NAME}`)],
    "absent record_absent",
    (seen) => seen.misplaced.length === 0,
  ),
  row("damaged value at the apex", [txt("acme.test", `"${TOKEN}"`)], "absent record_at_apex"),
  {
    name: "witnesses hold the old answer",
    setup: () => {
      const old = altered((answer) => ({
        ...answer,
        aa: false,
        rcode: 3,
        answers: [],
        authorities: [
          {
            name: "acme.test",
            type: "SOA",
            ttl: 77,
            class: "IN",
            data: {
              mname: "ns.test",
              rname: "x.test",
              serial: 7,
              refresh: 1,
              retry: 1,
              expire: 1,
              minimum: 300,
            },
          },
        ],
      }));
      return { witnesses: [{ behaviour: old }, { behaviour: old }, {}] };
    },
    expected: "absent negative_cache",
    shows: (seen) => seen.witnesses?.[0]?.answer?.soa?.ttl === 77 && seen.soa !== null,
  },
];
