import type { TxtAnswer } from "../verdict/observation.ts";
import { txtAnswer } from "./answers.ts";
import { findDelegation } from "./delegation.ts";
import type { Read } from "./read.ts";
import type { TextReading } from "./reader.ts";
import { descend } from "./zone-cuts.ts";

/** Aliases that are followed: a provider's own record is usually behind one, seldom behind two. */
const MAX_ALIASES = 3;

const sameAs = (one: TxtAnswer) => JSON.stringify([one.values.toSorted(), one.alias?.target]);

/**
 * Reads TXT at a name and, if it is an alias, at its target. Every server of a zone that answers must say the same:
 * one of them alone does not settle it.
 */
export async function readText(read: Read, name: string): Promise<TextReading> {
  let at = name;
  let ttl = Number.POSITIVE_INFINITY;
  for (let step = 0; step <= MAX_ALIASES; step += 1) {
    const found = await findDelegation(read, at);
    if (!found.cut) return { type: "unresolvable" };
    const { replies } = await descend(read, found.cut, { name: at, type: "TXT" }, () => false);
    const answers = replies.flatMap(({ message }) => (message ? [txtAnswer(message, at)] : []));
    const [first] = answers;
    if (!first || new Set(answers.map(sameAs)).size > 1) return { type: "unresolvable" };
    const { values, alias, soa } = first;
    if (values.length > 0) return { type: "read", values, ttl: Math.min(ttl, first.ttl ?? 0) };
    if (alias?.type !== "CNAME")
      return { type: "read", values: [], ttl: soa ? Math.min(soa.ttl, soa.minimum) : 0 };
    const record = replies
      .flatMap(({ message }) => message?.answers ?? [])
      .find((one) => one.type === "CNAME" && one.name === at);
    ttl = Math.min(ttl, record?.ttl ?? 0);
    at = alias.target;
  }
  return { type: "unresolvable" };
}
