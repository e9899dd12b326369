/** One pasted record. */
export type ZoneFileLine = {
  /** As written; null if the line has no name, as after the first record of a name in a zone file. */
  name: string | null;
  /** Upper case. */
  type: string;
  /** The value according to the line's syntax: strings joined, quotes and escapes removed. */
  value: string;
  /** How to read the name: `zone_file` is relative unless it ends with a dot, `full` is absolute, `panel` as typed. */
  names: "zone_file" | "full" | "panel";
};

type Word = { text: string; quoted: boolean };

const TYPES = new Set(
  "A AAAA ALIAS ANAME CAA CNAME DNAME DS HTTPS MX NS PTR SOA SPF SRV SVCB TXT".split(" "),
);
const CLASS = /^(IN|CH|HS|ANY)$/i;
const TTL = /^\d+[smhdw]?$/i;

/** Words and quoted strings of a master-file line (RFC 1035 section 5.1), without comments and parentheses. */
function wordsOf(line: string): Word[] {
  const words: Word[] = [];
  for (const [, quoted, bare] of line.matchAll(/"((?:[^"\\]|\\.)*)"|;.*$|[()]|([^\s;()"]+)/gs)) {
    if (quoted !== undefined) words.push({ text: unescaped(quoted), quoted: true });
    else if (bare !== undefined) words.push({ text: unescaped(bare), quoted: false });
  }
  return words;
}

const unescaped = (text: string) =>
  text.replace(/\\(\d{3})|\\(.)/gs, (_, code: string | undefined, character: string | undefined) =>
    code === undefined ? (character ?? "") : String.fromCharCode(Number(code) & 0xff),
  );

function readRecord(line: string): ZoneFileLine | null {
  const words = wordsOf(line);
  const isUpdate = /^(update|add)$/i.test(words[0]?.text ?? "");
  if (isUpdate && /^update$/i.test(words[0]?.text ?? "")) words.shift();
  if (isUpdate && !/^add$/i.test(words.shift()?.text ?? "")) return null;

  const at = words.findIndex(({ text, quoted }) => !quoted && TYPES.has(text.toUpperCase()));
  const type = words[at];
  if (!type || at === words.length - 1) return null;
  const before = words.slice(0, at).map(({ text }) => text);
  const names = before.filter((text) => !CLASS.test(text) && !TTL.test(text));
  if (names.length > 1) return null;
  const [name = null] = names;
  const isZoneFile = before.length > names.length || name?.endsWith(".") === true;
  return {
    name,
    type: type.text.toUpperCase(),
    value: words
      .slice(at + 1)
      .map(({ text }) => text)
      .join(""),
    names: isUpdate ? "full" : isZoneFile ? "zone_file" : "panel",
  };
}

/**
 * Parses a pasted record: a zone-file line, dig output, `name TXT value`, or an nsupdate line. If there are several
 * lines, takes the first TXT record, or else the first record. Null if there is none.
 */
export function parseZoneFileLine(pasted: string): ZoneFileLine | null {
  const records = pasted.split(/\r?\n/).flatMap((line) => readRecord(line) ?? []);
  return records.find(({ type }) => type === "TXT") ?? records[0] ?? null;
}
