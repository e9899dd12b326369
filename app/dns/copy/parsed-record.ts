import { corruptionOf, prefixOf, tokenOfForm } from "../verdict/token-corruption.ts";
import { PANELS, type RecordLocation } from "./providers.ts";
import { parseZoneFileLine, type ZoneFileLine } from "./zone-file-line.ts";

/** Input from the user: the panel's two fields, or one pasted line. */
export type TypedRecord = { host: string; value: string } | { line: string };

/** The record that the input would create. */
export type ParsedRecord = {
  /** Full name of the record; null if only a value was given. */
  name: string | null;
  /** Upper case. */
  type: string;
  /** Null if only a name was given. */
  value: string | null;
};

const HOST = /^(@|\*|[a-z0-9_*-]+(\.[a-z0-9_-]+)*\.?)$/i;

/** The full name that results from the typed host. */
function fullName(typed: string, place: RecordLocation, names: ZoneFileLine["names"]): string {
  const zone = place.zone ?? place.domain;
  const host = typed.trim().toLowerCase();
  if (host === "" || host === "@") return zone;
  if (host.endsWith(".")) return host.slice(0, -1);
  const isComplete = host === zone || host.endsWith(`.${zone}`);
  if (names === "full" || (names === "panel" && PANELS[place.provider].takesFullName && isComplete))
    return host;
  return `${host}.${zone}`;
}

/** The value that the panel stores: some panels treat quotation marks as syntax. */
const panelText = (typed: string, { provider }: RecordLocation): string =>
  PANELS[provider].readsQuotes ? typed.trim().replace(/^"([^"]*)"$/, "$1") : typed;

const looksLikeToken = (text: string, token: string) =>
  corruptionOf(text, token) !== null ||
  text === token ||
  tokenOfForm(text, prefixOf(token)) !== null;

/** Parses a record from typed or pasted input; null if the input is empty. */
export function parseRecord(typed: TypedRecord, place: RecordLocation): ParsedRecord | null {
  if ("host" in typed) {
    if (typed.host.trim() === "" && typed.value.trim() === "") return null;
    return {
      name: fullName(typed.host, place, "panel"),
      type: "TXT",
      value: typed.value === "" ? null : panelText(typed.value, place),
    };
  }
  const line = typed.line.trim();
  if (line === "") return null;
  const record = parseZoneFileLine(line);
  if (record)
    return {
      name: record.name === null ? null : fullName(record.name, place, record.names),
      type: record.type,
      value: record.value,
    };
  const [first = "", ...rest] = line.split(/\s+/);
  const after = rest.join(" ");
  if (
    rest.length > 0 &&
    HOST.test(first) &&
    !looksLikeToken(first, place.token) &&
    looksLikeToken(after, place.token)
  )
    return {
      name: fullName(first, place, "panel"),
      type: "TXT",
      value: panelText(after, place),
    };
  const isName = HOST.test(line) && !looksLikeToken(line, place.token);
  return isName
    ? { name: fullName(line, place, "panel"), type: "TXT", value: null }
    : { name: null, type: "TXT", value: panelText(line, place) };
}
