import { isAtOrBelow } from "../names.ts";
import type { Observation } from "../verdict/observation.ts";
import { encodeAnswer, type LabBehaviour, type LabOptions } from "./lab-server.ts";
import { delegation, empty, type LabRecord, toAnswer } from "./lab-zone.ts";
import { address, NAME, SHOP, txt } from "./rows.ts";
import { type Net, TOKEN } from "./world.ts";

/** The attacker's server: answers every TXT question with the token and every A question with its own address. */
export const ATTACKER = 9;
export const attacker = (net: Net): LabOptions => ({
  behaviour: (query) => [
    encodeAnswer(query, {
      ...empty(0, true),
      answers:
        query.type === "TXT"
          ? [toAnswer(txt(query.name))]
          : query.type === "A"
            ? [toAnswer(address(query.name, net.at(ATTACKER)))]
            : [],
    }),
  ],
});

/** Delegates a name and everything below it: by a referral, or, if asked for NS, by an authoritative answer. */
export const delegating =
  (zone: string, records: readonly LabRecord[], authoritative = false): LabBehaviour =>
  (query, server) => {
    if (!isAtOrBelow(query.name, zone)) return [server.honest(query)];
    const names = records.filter(({ type }) => type === "NS").map(toAnswer);
    const additionals = records.filter(({ type }) => type !== "NS").map(toAnswer);
    const answered = authoritative && query.type === "NS" && query.name === zone;
    const sections = answered ? { answers: names } : { authorities: names };
    return [encodeAnswer(query, { ...empty(0, answered), ...sections, additionals })];
  };

/** A resolver that gives these NS records for any zone, and the token for any name. */
export const believing =
  (...names: string[]): LabBehaviour =>
  (query) => {
    const { name } = query;
    const answers: LabRecord[] =
      query.type === "NS" ? names.map((data) => ({ name, type: "NS", data })) : [txt(name)];
    return [encodeAnswer(query, { ...empty(0, false), answers: answers.map(toAnswer) })];
  };
/** The true names and the attacker's. */
export const deceived = believing("ns1.acme.test", `ns.${SHOP}`, "ns.far.test", `ns.${NAME}`);

/** No question reached the attacker, and none of its answers is in the observation. */
export const avoidsAttacker = (seen: Observation, world: { seenBy(host: number): number }) =>
  world.seenBy(ATTACKER) === 0 && !JSON.stringify(seen.servers).includes(TOKEN);

/** A delegation of a zone to the attacker's server. */
export const withoutGlue = (zone: string): LabRecord[] => delegation(zone, { "ns.far.test": [] });
export const withGlue = (zone: string) => (net: Net) =>
  delegation(zone, { [`ns.${zone}`]: [net.at(ATTACKER)] });
