import { bogus, late, rcode, resolving, silent, truncating } from "./faults.ts";
import type { LabBehaviour, LabOptions } from "./lab-server.ts";
import { delegation, type LabRecord, labZone } from "./lab-zone.ts";
import { all, type Facts, nameservers, type Row, type Shows, txt } from "./rows.ts";
import { LABEL, type Net, type ServerOptions, type WorldSetup } from "./world.ts";

export type Words = {
  behaviours?: Record<string, LabBehaviour>;
  /** Worlds that a row's lines then change. */
  worlds?: Record<string, (net: Net) => WorldSetup>;
  shows?: Record<string, Shows>;
};

const RECORD = /^(\S+) (A|AAAA|NS|CNAME|DNAME|TXT|SOA|MX|SPF|DS)(?: (.*))?$/;
const OPTIONS: Record<string, LabOptions> = {
  honest: {},
  open: { tcp: "open", behaviour: undefined },
  "no-tcp": { tcp: "closed" },
  "no-udp": { udp: "closed" },
  "loses-first": { tcp: "loses_first" },
};
const BEHAVIOURS: Record<string, LabBehaviour> = {
  silent,
  bogus,
  resolving,
  truncating,
};
const NUMBERED: Record<string, (count: number) => LabBehaviour> = { rcode, late };

/** A name in a line: `ns1` is in acme.test, `ns1.host.test.` is complete, `@` is the zone and `_` the challenge label. */
function nameIn(word: string): string {
  const name = word.replace(/(?<=^|\.)_(?=\.|$)/, LABEL);
  if (name === "@") return "acme.test";
  if (name === ".") return name;
  return name.endsWith(".") ? name.slice(0, -1) : `${name}.acme.test`;
}

/** `.5` is an address of the world. */
const addressIn = (word: string, net: Net) =>
  word.replace(/(^|:)\.(\d+)$/, (_, before, host) => `${before}${net.at(Number(host))}`);

/** `ns1 .3 .5, ns2`: nameservers and their addresses; `3`: three nameservers in the zone, from .3 on. */
function hostsIn(text: string, net: Net): Record<string, string[]> {
  if (/^\d+$/.test(text)) return nameservers(net, Number(text));
  const hosts = text.split(", ").map((one) => one.split(" "));
  return Object.fromEntries(
    hosts.map(([host = "", ...at]) => [nameIn(host), at.map((one) => addressIn(one, net))]),
  );
}

/** A record in zone-file notation. NS also makes the glue of its hosts; TXT without data has the token. */
function recordsIn(line: string, net: Net): LabRecord[] {
  const [, owner = "", type, data = ""] = RECORD.exec(line) ?? [];
  const name = nameIn(owner);
  if (type === "NS") return delegation(name, hostsIn(data, net));
  if (type === "TXT") return [data === "" ? txt(name) : txt(name, stringsIn(data))];
  const isName = type === "CNAME" || type === "DNAME" || type === "MX";
  const value = isName ? nameIn(data) : addressIn(data, net);
  const ttl = type === "DS" ? 86_400 : undefined;
  return [{ name, type: type as LabRecord["type"], data: value, ttl }];
}
const stringsIn = (data: string) =>
  /^".*" ".*"$/.test(data) ? data.slice(1, -1).split('" "') : data;

/** A value in YAML's flow style: `{limit: tcp, servers: [{result: timeout}]}`. */
export function flowIn(text: string): Facts {
  const words = /"(?:[^"\\]|\\.)*"|[^\s{}[\],:"](?:[^{}[\],":]|:(?!\s))*/g;
  const isPlain = (word: string) => /^(".*"|-?\d+|true|false|null)$/.test(word);
  return JSON.parse(
    text.replace(words, (word) => (isPlain(word.trim()) ? word : JSON.stringify(word.trim()))),
  );
}

/** Regular expressions in a row: `/a b/i /c/`. */
export const patterns = (text = "") =>
  [...text.matchAll(/(?<=^| )\/(.+?)\/([im]*)(?= \/|$)/g)].map(
    ([, source = "", flags]) => new RegExp(source, flags),
  );
/** Whether a value has these fields; lists have as many elements. */
const has = (value: unknown, fields: unknown): boolean =>
  typeof fields === "object" && fields !== null
    ? typeof value === "object" &&
      value !== null &&
      (!Array.isArray(fields) || fields.length === (value as unknown[]).length) &&
      Object.entries(fields).every(([key, one]) => has(value[key as keyof typeof value], one))
    : value === fields;

/** A server's behaviour: `no-tcp silent`, `rcode 5`. */
function optionsIn(text: string, { behaviours = {} }: Words): LabOptions {
  const options: LabOptions = {};
  for (const [, word = "", count] of text.matchAll(/(\S+)(?: (\d+))?/g)) {
    const known = { ...BEHAVIOURS, ...behaviours }[word] ?? NUMBERED[word]?.(Number(count));
    if (known) options.behaviour = known;
    else if (OPTIONS[word]) Object.assign(options, OPTIONS[word]);
    else throw new Error(`no server answers like "${word}"`);
  }
  return options;
}

/** The host numbers in `3,5` or `3-6`. */
const hostNumbers = (text: string) =>
  text.split(",").flatMap((one) => {
    const [from = 0, to = from] = one.split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_, at) => from + at);
  });

export function setupIn(lines: readonly string[], words: Words, net: Net): WorldSetup {
  let setup: WorldSetup = {};
  /** Lines with a plus add their records to this list. */
  let added: LabRecord[] = [];
  const tld = (records: LabRecord[]) => {
    setup.tld = { ...setup.tld, records: [...(setup.tld?.records ?? []), ...records] };
  };
  const server = (host: number, options: ServerOptions) => {
    const before = setup.servers?.[host] ?? {};
    const zones = options.zones && [...(before.zones ?? []), ...options.zones];
    const changed = { ...before, ...options, ...(zones && { zones }) };
    setup.servers = { ...setup.servers, [host]: changed };
  };
  const zoneAt = (hosts: readonly number[], name: string, rest: string) => {
    const [own = "", serial] = rest.split(" serial ");
    const zone = labZone(nameIn(name), own ? hostsIn(own, net) : {}, [], Number(serial ?? 7));
    for (const host of hosts) server(host, { zones: [zone] });
    added = zone.records;
  };
  for (const line of lines) {
    const [word = "", ...others] = line.split(" ");
    const rest = others.join(" ");
    const [, zone, hosts = ""] = /^zone (\S+) ?(.*)$/.exec(rest.replace(/^\S+ /, "")) ?? [];
    if (RECORD.test(line)) setup.records = [...(setup.records ?? []), ...recordsIn(line, net)];
    else if (line === "no records") setup.records = [];
    else if (word === "+") added.push(...recordsIn(rest, net));
    else if (word === "of") setup = { ...setup, ...words.worlds?.[rest]?.(net) };
    else if (word === "zone") setup.domain = nameIn(rest);
    else if (word === "claim") setup = { ...setup, domain: nameIn(rest), zone: "acme.test" };
    else if (word === "listed") setup.nameservers = hostsIn(rest, net);
    else if (word === "own") setup.ownNameservers = hostsIn(rest, net);
    else if (word === "former") setup.former = rest.split(" ").map(nameIn);
    else if (word === "allow") setup.allow = [rest];
    else if (word === "over") setup.secure = rest as "tls";
    else if (word === "certified") setup.certified = rest;
    else if (word === "history") setup.history = flowIn(rest);
    else if (line === "hosting") {
      tld(recordsIn("host.test. NS dns.host.test. .5", net));
      zoneAt([5], "host.test.", "dns.host.test. .5");
    } else if (word === "at" && zone) zoneAt(hostNumbers(others[0] ?? ""), zone, hosts);
    else if (word === "at")
      for (const host of hostNumbers(others[0] ?? ""))
        server(host, optionsIn(others.slice(1).join(" "), words));
    else if (word === "tld" && RECORD.test(rest)) tld(recordsIn(rest, net));
    else if (word === "tld" && rest.startsWith("zone ")) {
      const [, name = "", own = ""] = /^zone (\S+) (.*)$/.exec(rest) ?? [];
      const made = labZone(nameIn(name), hostsIn(own, net));
      setup.tld = { ...setup.tld, zones: [made] };
      added = made.records;
    } else if (word === "tld") setup.tld = { ...setup.tld, ...optionsIn(rest, words) };
    else if (word === "root") setup.root = optionsIn(rest, words);
    else if (line === "no witnesses") setup.witnesses = [];
    else if (word === "witness") setup.witnesses = [optionsIn(rest, words)];
    else if (word === "witnesses") {
      const each = rest.split(" / ").map((one) => optionsIn(one, words));
      setup.witnesses = each.length === 1 ? Array(3).fill(each[0]) : each;
    } else throw new Error(`nobody reads "${line}"`);
  }
  return setup;
}

function checkIn(line: string, { shows = {} }: Words): (Facts | Shows)[] {
  const [word, ...rest] = line.split(" ");
  const text = rest.join(" ");
  if (word === "tells") return [flowIn(text)];
  if (word === "all") return [all(text)];
  if (word === "both") {
    const [result, reason] = rest;
    const failure = { result, ...(reason && { reason }) };
    return [{ nameservers: ["ns1", "ns2"].map((one) => ({ host: nameIn(one), ...failure })) }];
  }
  if (word === "lacks") return [{ [text]: undefined }];
  if (word === "sees") return [(seen) => has(seen, flowIn(text))];
  return text.split(", ").map((one) => {
    const known = shows[one];
    if (!known) throw new Error(`nobody knows what shows "${one}"`);
    return known;
  });
}

const outcomeIn = (word: string) =>
  /^(found|unresolvable)$/.test(word) ? word : `absent ${word.replace("+", ", then ")}`;

/**
 * Rows as lines, or separated by bars: `outcome: name`, then indented the world, as records in zone-file notation and words
 * of `setupIn`, and what the read `tells`, `sees` or `shows`.
 */
export function rowsOf(words: Words, text: string): Row[] {
  const blocks = text.trim().split(/\n(?=[^\s#])/);
  return blocks.map((block) => {
    const [head = "", ...body] = block.split(/\n| \| /).map((line) => line.trim());
    const [, outcome = "", name = ""] = /^([\w+]+): (.*)$/.exec(head) ?? [];
    const lines = body.filter((line) => line !== "" && !line.startsWith("#"));
    const isCheck = (line: string) => /^(tells|lacks|sees|shows|all|both) /.test(line);
    const world = lines.filter((line) => !isCheck(line));
    return {
      name,
      setup: (net) => setupIn(world, words, net),
      ...(world.some((line) => / late /.test(line)) && { isLate: true }),
      expected: outcomeIn(outcome),
      checks: lines.filter(isCheck).flatMap((line) => checkIn(line, words)),
    };
  });
}
