import { heldName, isAskable, labelsOf } from "../names.ts";
import { escapeUntrusted, UNSEEN } from "../verdict/escape-untrusted.ts";
import type { RecordType } from "../verdict/observation.ts";
import { asciiName, InvalidInput } from "./typed-name.ts";

/** A record that somebody was asked to publish. `value`: each of several is as good as the others. */
export type RecordQuestion = {
  name: string;
  type?: RecordType | undefined;
  value: string | readonly string[];
};

/** The same as it is read: `label` is what is in front of the host or the registered name that the record is about. */
export type RecordAsked = {
  name: string;
  label: string;
  domain: string;
  type: RecordType;
  values: readonly [string, ...string[]];
};

export const MAX_VALUE = 2_000;
const MAX_VALUES = 10;

/** Throws InvalidInput, before any packet. */
export function askedOf({ name: typed, type = "TXT", value }: RecordQuestion): RecordAsked {
  if (type !== "TXT" && type !== "CNAME") throw new InvalidInput("type", "A type is TXT or CNAME.");
  const name = nameOf(typed, "name");
  const given = [value]
    .flat()
    .map((one) => (type === "CNAME" ? nameOf(one, "value") : textOf(one)));
  const [first, ...others] = [...new Set(given)];
  if (first === undefined || others.length >= MAX_VALUES)
    throw new InvalidInput("value", `Give one value, or at most ${MAX_VALUES}.`);
  return { name, ...placeOf(name), type, values: [first, ...others] };
}

function textOf(value: unknown): string {
  if (typeof value === "string" && value !== "" && value.length <= MAX_VALUE && !UNSEEN.test(value))
    return value;
  throw new InvalidInput("value", `A value has 1 to ${MAX_VALUE} visible characters.`);
}

/** Labels before a host may have underscores, which UTS 46 does not allow; only the rest is a domain. */
function nameOf(typed: unknown, field: "name" | "value"): string {
  const name = String(typed ?? "")
    .trim()
    .replace(/\.$/, "");
  const labels = name.toLowerCase().split(".");
  const last = labels.findLastIndex((label) => label.includes("_"));
  const front = labels.slice(0, last + 1).join(".");
  if (front !== "" && !/^[a-z0-9_.-]+$/.test(front))
    throw new InvalidInput(field, `A name cannot contain “${escapeUntrusted(front)}”.`);
  try {
    const rest = asciiName(
      name
        .split(".")
        .slice(last + 1)
        .join("."),
    );
    const full = front === "" ? rest : `${front}.${rest}`;
    if (isAskable(full)) return full;
  } catch (error) {
    throw error instanceof InvalidInput ? new InvalidInput(field, error.message) : error;
  }
  throw new InvalidInput(field, "This is longer than a DNS name may be.");
}

export function placeOf(name: string): Pick<RecordAsked, "label" | "domain"> {
  const labels = labelsOf(name);
  const last = labels.findLastIndex((label) => label.includes("_"));
  const [held, host] = [heldName(name), labels.slice(last + 1).join(".")];
  const domain = last < 0 || host.length < held.length ? held : host;
  return { label: name.slice(0, -domain.length).replace(/\.$/, ""), domain };
}
