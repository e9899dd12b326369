import { flowIn, patterns } from "@deed/dns/testing/row-lines.ts";
import { LABEL, TOKEN } from "../case.ts";
import { type FarmZone, HOSTS, HOSTS_OF, type Program } from "../farm.ts";
import { foreignDs, KNOTS, type KnotName, type LabZone, NS1, NS2 } from "../zones.ts";

/** Another project's thread, or an invented mistake, as zones, and what an expert in DNS would say. */
export type Thread = {
  id: string;
  /** The thread's address, and what its reporter saw or did. */
  source: string;
  story: string;
  domain: string;
  zones: LabZone[];
  /** The zones that the farm's programs serve. */
  farmed: FarmZone[];
  /** Records of the first zone, added after the resolvers asked once. */
  added?: string[];
  /** How many minutes later to read again. */
  later: number;
  codes: string[];
  awaits: string[];
  /** A part of what is observed. */
  tells: object;
  /** Words that must be there; that mislead; that do harm; and that prevent harm. */
  says: RegExp[];
  never: RegExp[];
  harm: RegExp[];
  warns: RegExp[];
  /** The rest of its line that begins with this word. */
  line(word: string): string | undefined;
};

const PROGRAMS = { nsd: "nsd", pdns: "pdns_server", bind: "named" } as const;
const hostOf = (short: string) =>
  ({ ns1: NS1, ns2: NS2 })[short] ?? (short.includes(".") ? short : `${short}.farm.example`);
const words = (text = "") => text.split(" ").filter(Boolean);
const recordsIn = (text: string) => text.split(" | ").filter(Boolean);
const addressOf = (host: string) => HOSTS[host as keyof typeof HOSTS];

/** `name on servers to hosts own hosts: record | record`; further lines of the same name are further copies. */
function addZone(text: string, zones: LabZone[], farmed: FarmZone[]) {
  const [, name = "", options = "", lines = ""] = /^(\S+?)( [^:]*)?:(?: (.*))?$/.exec(text) ?? [];
  const option = (word: string) =>
    new RegExp(` ${word} ((?:(?!(?:on|to|own)\\b)\\S+ ?)+)`).exec(options)?.[1]?.trim();
  const on = words(option("on") ?? "ns1 ns2");
  const own = option("own") === undefined ? undefined : words(option("own")).map(hostOf);
  const program = PROGRAMS[on[0] as keyof typeof PROGRAMS] as Program | undefined;
  const hosts = program ? [...HOSTS_OF[program]] : [NS1, NS2];
  const to = option("to") === undefined ? undefined : words(option("to")).map(hostOf);
  const records = recordsIn(lines);
  let zone = zones.find((one) => one.name === name);
  if (!zone) {
    zone = { name, delegatedTo: to ?? hosts, on: {}, ...(own && { ownNameservers: own }) };
    zones.push(zone);
  }
  if (program) {
    farmed.push({ name, delegatedTo: own ?? to ?? hosts, program, records });
    const listed = zone.delegatedTo.flatMap((host) => addressOf(host) ?? []);
    zone.at = listed.length > 0 ? listed : hosts.map((host) => addressOf(host));
  } else for (const server of on) if (server in KNOTS) zone.on[server as KnotName] = records;
}

function threadOf(block: string): Thread {
  const head = /^(?:([\w-]+) )?(\S+?):(?: (.*))?$/m.exec(block) ?? [];
  const [, given, path = "", story = ""] = head;
  const named = path.replace(/^[^/]+\//, "").replace(/(?:\/(?:issues|pull))?[^a-z0-9]+/gi, "-");
  const id = given ?? named.toLowerCase();
  const lines = block
    .replaceAll("{L}", LABEL)
    .replaceAll("{T}", TOKEN)
    .replaceAll("{N}", id)
    .split("\n")
    .map((line) => line.trim());
  const zones: LabZone[] = [];
  const farmed: FarmZone[] = [];
  const rest = (word: string) =>
    lines.find((line) => line.startsWith(`${word} `))?.slice(word.length + 1);
  for (const line of lines) {
    const [, word = "", text = ""] = /^(\S+)(?: (.*))?$/.exec(line) ?? [];
    const [zone, served] = [zones.at(-1), farmed.at(-1)];
    if (word === "zone") addZone(text, zones, farmed);
    else if (word === "glue" && zone) zone.glue = recordsIn(text);
    else if (word === "minimum" && zone) (served ?? zone).minimum = Number(text);
    else if (word === "inside" && served) served.forResolvers = [text];
    else if (word === "orphaned" && served) served.orphaned = true;
    else if (word === "served" && served) served.servedAs = text;
    else if (word === "signed" && zone) {
      const [from, until, how, what] = text.split(" ");
      zone.presigned = { from: Number(from), until: Number(until) };
      if (what) zone.presigned[how as "without" | "spoiled"] = new RegExp(what);
    } else if (word === "ds" && zone) zone.ds = [foreignDs(zone.name)];
  }
  const [codes = "", awaits = ""] = rest("is")?.split(" awaits ") ?? [];
  const then = rest("then");
  return {
    id,
    source: path.startsWith("https:") ? path : `https://github.com/${path}`,
    story,
    domain: rest("claim") ?? zones[0]?.name ?? "",
    zones,
    farmed,
    ...(then && { added: recordsIn(then) }),
    later: Number(rest("later") ?? 0),
    codes: words(codes),
    awaits: words(awaits),
    tells: flowIn(rest("tells") ?? "{}"),
    says: patterns(rest("says")),
    never: patterns(rest("never")),
    harm: patterns(rest("harm")),
    warns: patterns(rest("warns")),
    line: rest,
  };
}

/** Rows as lines: id (or from the path), path and story; {L} is the label, {T} the token, {N} the id. */
export const threadsIn = (text: string): Thread[] =>
  text
    .trim()
    .split(/\n(?=\S)/)
    .map(threadOf);
