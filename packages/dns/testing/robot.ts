import type { Provider } from "../names.ts";
import type { Diagnosis } from "../verdict/diagnosis.ts";
import type { Paste } from "../words/wording.ts";
import type { LabRecord, LabZone } from "./lab-zone.ts";
import { address, cname, txt } from "./rows.ts";
import { LABEL, type WorldSetup } from "./world.ts";

/** One person's zone as their panel shows it. */
export type Panel = {
  zone: string;
  /** Whether one entry has all values of a name and type, so that editing it changes all. */
  grouped: boolean;
  records: LabRecord[];
};
/** Panels with different sentences, and with one entry per value or per name and type. */
export const PANELS: [provider: Provider, grouped: boolean][] = [
  ["other", false],
  ["other", true],
  ["godaddy", false],
  ["route53", true],
];
/** The value of another claim, which is proved. */
export const PROVED = `service_v1_${"5a".repeat(20)}`;
/** What a fix must not harm: a website, mail, and the record of another proof. */
export function site(zone: string, taken: readonly LabRecord[]): LabRecord[] {
  const records: LabRecord[] = [
    address(zone, "192.0.2.10"),
    { name: zone, type: "AAAA", data: "2001:db8::10" },
    cname(`www.${zone}`, zone),
    { name: zone, type: "MX", data: `mail.${zone}` },
    address(`mail.${zone}`, "192.0.2.11"),
    txt(zone, "v=spf1 mx ~all"),
    txt(`s1._domainkey.${zone}`, "v=DKIM1; p=MIGfMA0"),
    txt(`_dmarc.${zone}`, "v=DMARC1; p=none"),
    txt(`${LABEL}.proved.${zone}`, PROVED),
  ];
  const isTaken = ({ name, type }: LabRecord) =>
    taken.some(
      (one) =>
        one.type === "DNAME" ||
        (one.name === name && (type === "CNAME" || one.type === "CNAME" || one.type === type)),
    );
  return records.filter((one) =>
    one.type === "TXT"
      ? !taken.some((other) => other.name === one.name && other.type === "CNAME")
      : !isTaken(one),
  );
}

/** What the person reads: the sentence, what to paste, and the wrong record on the page. */
export type Task = {
  fix: string;
  pastes: readonly Paste[];
  /** The challenge name. */
  name: string;
  /** Name and value of the wrong record, if the diagnosis has them. */
  at: string;
  value: string | null;
  token: string;
  /** Default TXT. A panel allows no CNAME beside other records, and no records beside a CNAME. */
  type?: "TXT" | "CNAME";
};

export function wrongRecord(diagnosis: Diagnosis | null) {
  const observed = diagnosis?.observed;
  const near = observed && "nearMiss" in observed ? observed.nearMiss : observed;
  return {
    at: near && "name" in near ? (near.name ?? null) : null,
    value: near && "value" in near ? (near.value ?? null) : null,
  };
}

/** `isMoved`: the person types a host, and no value. */
type Hands = { panel: Panel; task: Task; full: string; typed: string; isMoved: boolean };
type Act = (hands: Hands, ...words: string[]) => LabRecord[];

const sameSet = (one: LabRecord) => (other: LabRecord) =>
  other.name === one.name && other.type === one.type;
/** A name as a panel shows it, where a diagnosis shows escapes (RFC 1035 section 5.1). */
const plain = (name: string) =>
  name
    .replace(/(?:\\\d{3})+/g, (codes) =>
      Buffer.from(codes.split("\\").slice(1).map(Number)).toString("utf8"),
    )
    .replace(/\\(.)/g, "$1");
const textOf = ({ data }: LabRecord) => [data].flat().join("");

/** The entry that a person takes for "the record" at a name: the one with the value, otherwise the only kind there is. */
function entryAt({ panel, task }: Hands, name: string, types: readonly string[] = [typeOf(task)]) {
  const there = panel.records.filter((one) => one.name === plain(name) && types.includes(one.type));
  const shown = there.filter((one) => textOf(one).toLowerCase().includes(task.token.slice(-16)));
  const valued = there.filter((one) => textOf(one) === task.value);
  const [first] = [...valued, ...shown, ...there];
  if (!first) throw new Error(`the panel shows no ${types.join(" or ")} record at ${name}`);
  return panel.grouped ? there.filter(sameSet(first)) : [first];
}
const without = (all: LabRecord[], gone: readonly LabRecord[]) =>
  all.filter((one) => !gone.includes(one));
const typeOf = ({ type = "TXT" }: Task) => type;
const adding = ({ panel, task, full, typed }: Hands): LabRecord[] => {
  const type = typeOf(task);
  const beside = panel.records.filter(({ name }) => name === full);
  if (
    type === "CNAME" ? beside.length > 0 : task.type && beside.some((one) => one.type === "CNAME")
  )
    throw new Error(`the panel takes no ${type} beside what is at ${full}`);
  // Panels cut a long text into strings (RFC 1035 section 3.3.14).
  const data = typed.replace(/" "/g, "").match(/.{1,255}/gs) ?? [];
  return [...panel.records, { name: full, type, data: data.length > 1 ? data : typed }];
};
const instead = (hands: Hands, gone: readonly LabRecord[]) =>
  adding({ ...hands, panel: { ...hands.panel, records: without(hands.panel.records, gone) } });
const nothing: Act = ({ panel }) => panel.records;
const copying = (
  { records }: Panel,
  wildcard: string | undefined,
  names = "",
  types?: string,
): LabRecord[] => [
  ...records,
  ...names.split(/, | and /).flatMap((name) => {
    const isNamed = ({ type }: LabRecord) => types?.split("/").includes(type) ?? true;
    const copied = records.filter((one) => one.name === wildcard && isNamed(one));
    return copied.map((one) => ({ ...one, name }));
  }),
];
const OTHER_TYPES = ["MX", "SPF", "NS", "TXT"];

/** What a person does for each verb: the first one whose pattern the rest of the sentence begins with. */
const VERBS: [RegExp, Act][] = [
  [/^(?:keep|leave) the record at .+?(?: as it is)?(?=,| and)/, nothing],
  [/^keep (?:\*\S+ as it is|the (?:other |TXT )?values(?: of \S+)?)/, nothing],
  [
    /^take (?:only )?the value out of the record at (\S+?)(?=,| and)/,
    ({ panel, task }, at) =>
      panel.records.map((one) =>
        one.name === at && one.type === "TXT" && textOf(one).includes(task.token)
          ? { ...one, data: textOf(one).replace(task.token, "").trim() }
          : one,
      ),
  ],
  [
    /^delete the wrong value at (\S+?)(?=,| and)/,
    ({ panel, ...hands }, at) =>
      without(panel.records, entryAt({ ...hands, panel: { ...panel, grouped: false } }, at)),
  ],
  [
    /^remove the pieces/,
    ({ panel, task, full }) =>
      panel.records.filter(
        (one) => !(one.name === full && one.type === "TXT" && task.token.includes(textOf(one))),
      ),
  ],
  [
    /^(?:remove|delete) (?:the|this) (DNAME|NS) record(?: at (\S+?))?(?=,| and)/,
    ({ panel, full }, type, at = full) =>
      panel.records.filter((one) => !(one.name === at && one.type === type)),
  ],
  [
    /^replace this CNAME(?: record)? with a TXT record with .*/,
    (hands) => instead(hands, entryAt(hands, hands.full, ["CNAME"])),
  ],
  [
    /^change this (?:MX |SPF |TXT )?record to a (?:TXT|CNAME) record with .*/,
    (hands) => instead(hands, entryAt(hands, hands.task.at, OTHER_TYPES)),
  ],
  [
    /^replace the A \(or ANAME\) records with a CNAME record with .*/,
    (hands) =>
      instead(
        hands,
        hands.panel.records.filter((one) => one.name === hands.full && /^A/.test(one.type)),
      ),
  ],
  [
    /^give (.+?) the (?:(\S+) )?records of (\S+)(?=, then)/,
    ({ panel }, names, types, wildcard) => copying(panel, wildcard, names, types),
  ],
  [/^add (?:one more \(as .*?\)|another) with .*/, adding],
  [/^add a line with this .*/, adding],
  [
    /^(?:in every view of \S+ \(.+?\), )?add(?: and save)? (?:a|one|a second) (?:TXT|CNAME) record with .*/,
    adding,
  ],
  [
    /^edit the record and (?:change .*? to|leave only this in .*?): .*/,
    (hands) => {
      const edited = entryAt(hands, hands.isMoved ? hands.task.at : hands.full);
      if (!hands.isMoved) return instead(hands, edited);
      return hands.panel.records.map((one) =>
        edited.includes(one) ? { ...one, name: hands.full } : one,
      );
    },
  ],
  [
    /^replace the wrong one with this .*/,
    (hands) =>
      instead(hands, entryAt({ ...hands, panel: { ...hands.panel, grouped: false } }, hands.full)),
  ],
];

/** Sentences for another person, or that only need time. */
const FOR_OTHERS = /^(Ask |Leave the record as it is for )/;
/** Sentences that need the reader's own knowledge: which nameservers are right, which records are needed. */
const ABOVE =
  "(?:At the registrar of \\S+|In the DNS panel of the zone \\S+|Where \\S+ was registered), ";
const TO_JUDGE = new RegExp(
  `^(?:In .*, delete the [A-Z, and]+ records at \\S+ that are no longer needed(?:\\.$|, and then add )|In .*, (?:turn off the proxy for|point the CNAME at) |In .*, give each name below \\S+ its own records instead, then add |${ABOVE}(?:enter|renew|confirm|remove from the nameservers of|replace (?!the DS)|add the address|correct the nameservers|delete the NS records|change the address) ?)`,
);
export const asksSomebody = (fix: string) => FOR_OTHERS.test(fix) || TO_JUDGE.test(fix);

/** The steps in a sentence about a zone in its panel. Throws if a person cannot follow it. */
export function actsOf(fix: string): [Act, string[]][] {
  const acts: [Act, string[]][] = [];
  for (let rest = /^In .+?, (.+)$/.exec(fix)?.[1] ?? fix; rest !== ""; ) {
    const hit = VERBS.flatMap(([words, act]) => {
      const match = words.exec(rest);
      return match ? [{ match, act }] : [];
    })[0];
    if (!hit) throw new Error(`no robot can follow "${rest}" in: ${fix}`);
    const [said, ...words] = hit.match;
    acts.push([hit.act, words]);
    rest = rest.slice(said.length).replace(/^(,? and |, then |, )/, "");
  }
  return acts;
}

export function follow(panel: Panel, task: Task): Panel {
  const [host, value] = fields(task);
  const full = host === undefined ? task.name : host === "@" ? panel.zone : `${host}.${panel.zone}`;
  const typed = (value ?? task.token).replace(/^"(.*)"$/, "$1");
  const isMoved = value === undefined;
  let { records } = panel;
  for (const [act, words] of actsOf(task.fix))
    records = act({ panel: { ...panel, records }, task, full, typed, isMoved }, ...words);
  return { ...panel, records };
}

/** The host and value to type; the sentence must show both. */
function fields({ pastes, fix, token }: Task): [host?: string, value?: string] {
  for (const { value } of pastes) if (!fix.includes(value)) throw new Error(`not shown: ${value}`);
  const isValue = (one: Paste) => one.value.replaceAll('" "', "").includes(token);
  return [pastes.find((one) => !isValue(one))?.value, pastes.find(isValue)?.value];
}

const AT_PARENT =
  /^(?:At the registrar of (\S+)|In the DNS panel of the zone \S+|Where (\S+) was registered), (remove|replace) the DS record/;

export const isAbove = (fix: string) => AT_PARENT.test(fix);

/** Follows a sentence about DS records above a zone, after caches expired; null if it is about something else. */
export function followAbove(setup: WorldSetup, fix: string, domain: string): WorldSetup | null {
  const [, registered, given, act] = AT_PARENT.exec(fix) ?? [];
  const zone = registered ?? given ?? domain;
  if (act === undefined) return null;
  const isOld = ({ type, name }: LabRecord) => type === "DS" && name === zone;
  const ds = { name: zone, type: "DS" as const, data: setup.signer?.ds ?? "" };
  const above = (records: LabRecord[] = []) => [
    ...records.filter((one) => !isOld(one)),
    ...(act === "replace" && records.some(isOld) ? [ds] : []),
  ];
  const tld = { ...setup.tld, records: above(setup.tld?.records) };
  return { ...setup, tld, records: setup.records && above(setup.records), witnesses: undefined };
}

/** The zones of a setup that `zone`'s panel edits: the world's own, or copies on single servers. */
export function editZone(
  setup: WorldSetup,
  zone: string,
  edit: (records: LabRecord[]) => LabRecord[],
): WorldSetup {
  if (zone === (setup.zone ?? setup.domain ?? "acme.test"))
    return { ...setup, records: edit(setup.records ?? []) };
  const servers = Object.entries(setup.servers ?? {}).map(([host, server]) => {
    const zones = server.zones?.map((one: LabZone) =>
      one.name === zone ? { ...one, records: edit(one.records) } : one,
    );
    return [host, zones ? { ...server, zones } : server];
  });
  return { ...setup, servers: Object.fromEntries(servers) };
}
