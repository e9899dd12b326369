import { isQueryable } from "../names.ts";
import type { Observation } from "../verdict/observation.ts";
import { valuesOf } from "../verdict/publication-status.ts";
import { addressesIn } from "./authority.ts";
import type { Read } from "./read.ts";
import { walk } from "./walk.ts";

/** Customers' names reach a host through fewer aliases than this. */
const MAX_ALIASES = 4;

/** Where the CNAME leads, or should lead if addresses are in its place; null if that is unknown. */
export async function readTarget(read: Read, seen: Observation): Promise<Observation["target"]> {
  const values = seen.servers.flatMap(({ answer }) => (answer ? valuesOf(answer) : []));
  const hasAddress = seen.instead?.some(({ type }) => type === "A" || type === "AAAA");
  const [first] = values.includes(seen.token) || hasAddress ? [seen.token] : values;
  let name = first ?? "";
  for (let step = 0; step <= MAX_ALIASES && isQueryable(name); step += 1) {
    const { message } = (await walk(read, name, "A", { isGlueEnough: false })).answer ?? {};
    if (!message) return null;
    if (message.rcode === "NXDOMAIN") return { exists: false, addresses: [] };
    const addresses = message.answers.flatMap(({ name: owner }) =>
      addressesIn(message, owner, "A"),
    );
    const alias = message.answers.findLast(({ type }) => type === "CNAME");
    if (addresses.length > 0 || alias?.type !== "CNAME")
      return { exists: true, addresses: [...new Set(addresses)] };
    name = alias.target;
  }
  return null;
}
