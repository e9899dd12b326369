import { DeedError } from "#app/core/errors.server.ts";

export const RECORD_TYPES = ["TXT", "CNAME"] as const;
export type RecordType = (typeof RECORD_TYPES)[number];
export type TypedRecord = { name: string; type: string; value: string };

const FIELD_LABELS = {
  name: /^(?:record |host ?|dns )?(?:name|host|hostname|domain|fqdn)$/i,
  type: /^(?:record )?type$/i,
  value: /^(?:record |txt )?(?:value|content|data|target|answer|points to)$/i,
};
type FieldName = keyof typeof FIELD_LABELS;
const fieldOf = (text: string) =>
  (Object.keys(FIELD_LABELS) as FieldName[]).find((key) => FIELD_LABELS[key].test(text.trim()));

const refuse = (message: string, param?: FieldName) =>
  new DeedError("invalid_request", { message, param });

/** Undoes the escapes of a zone file (RFC 1035, section 5.1). */
const unescapeText = (text: string) =>
  text.replace(/\\(\d{3}|.)/gs, (_, escaped: string) =>
    escaped.length === 3 ? String.fromCharCode(Number(escaped)) : escaped,
  );

function findInJson(json: unknown): Partial<TypedRecord> | null {
  if (typeof json !== "object" || json === null) return null;
  const found: Partial<TypedRecord> = {};
  for (const [label, text] of Object.entries(json)) {
    const key = fieldOf(label);
    if (key && typeof text === "string") found[key] ??= text;
  }
  if (found.name && found.value) return found;
  for (const member of Object.values(json)) {
    const inner = findInJson(member);
    if (inner) return inner;
  }
  return null;
}

function parseJson(text: string): Partial<TypedRecord> | null {
  try {
    return /^\s*[[{]/.test(text) ? findInJson(JSON.parse(text)) : null;
  } catch {
    return null;
  }
}

/** Reads lines such as "Name: _x.example.com", or "Name" above "_x.example.com". */
function parseLines(text: string): Partial<TypedRecord> | null {
  const found: Partial<TypedRecord> = {};
  let labelAbove: FieldName | undefined;
  for (const line of text.split("\n")) {
    const [, label = line, rest = ""] = /^([\w ]{1,20})[:=\t](.*)$/.exec(line) ?? [];
    const key = fieldOf(label);
    const text = (key ? rest : line).trim();
    const field = key ?? labelAbove;
    if (field && text) found[field] ??= text;
    labelAbove = key && !text ? key : undefined;
  }
  return found.name && found.value ? found : null;
}

const TYPES = "TXT|CNAME|A|AAAA|CAA|MX|NS|PTR|SPF|SRV";
const TTL_AND_CLASS = String.raw`(?:(?:\d{1,7}[smhdw]?|IN)\s+(?=\S))*`;
const LINE = new RegExp(
  String.raw`^\s*(?:(${TYPES})\s+)?(\S+)(?:\s+${TTL_AND_CLASS}(?:(${TYPES})\s+)?${TTL_AND_CLASS}(.*))?$`,
  "is",
);
const STRINGS = /^\(?\s*((?:"(?:\\.|[^"\\])*"\s*)+)/s;
const STRING = /"((?:\\.|[^"\\])*)"/gs;

function parseZoneLine(text: string): Partial<TypedRecord> {
  const lines = text.split("\n").filter((line) => !/^\s*(?:;|\$TTL)/i.test(line));
  const [origin] = lines.flatMap((line) => /^\$ORIGIN\s+(\S+)/i.exec(line)?.[1] ?? []);
  const otherLines = lines.filter((line) => !line.startsWith("$")).join("\n");
  const [, first, name, second, data = ""] = LINE.exec(otherLines) ?? [];
  const type = first ?? second;
  const strings = STRINGS.exec(data)?.[1]?.matchAll(STRING);
  const value = strings
    ? Array.from(strings, ([, string = ""]) => unescapeText(string)).join("")
    : data.split("\n")[0];
  const suffix = origin && !name?.endsWith(".") ? origin : "";
  return {
    name: [name === "@" && suffix ? "" : name, suffix].filter(Boolean).join("."),
    ...(type && { type }),
    value,
  };
}

const unquote = (value: string) => {
  const [, within] = /^"((?:\\.|[^"\\])*)"$/s.exec(value) ?? [];
  return within === undefined ? value : unescapeText(within);
};

/** Reads a record, typed into three fields or pasted whole into one. Throws invalid_request, saying what is missing. */
export function pastedRecord(fields: TypedRecord): TypedRecord & { type: RecordType } {
  const [name, value] = [fields.name.trim(), fields.value.trim()];
  const text = (name === "" ? value : name).replaceAll("\r", "");
  const isPastedWhole = name === "" || value === "";
  const found: Partial<TypedRecord> = isPastedWhole
    ? (parseJson(text) ?? parseLines(text) ?? parseZoneLine(text))
    : { name, value };
  const record = {
    name: (found.name ?? "").replace(/^\w+:\/\/|\/.*$/gs, "").replace(/\.$/, ""),
    type: (found.type ?? fields.type).toUpperCase(),
    value: unquote(found.value?.trim() ?? ""),
  };
  const { type } = record;
  if (record.name === "") throw refuse("Type the name of the record, or paste the whole record.");
  if (type !== "TXT" && type !== "CNAME")
    throw refuse("Deed looks for a record of type TXT or CNAME.");
  if (!record.name.includes("."))
    throw refuse("Type the full name of the record, with the domain at its end.");
  if (record.value === "") throw refuse("Type the value that the record should have.", "value");
  return {
    ...record,
    type,
    value: type === "CNAME" ? record.value.replace(/\.$/, "") : record.value,
  };
}
