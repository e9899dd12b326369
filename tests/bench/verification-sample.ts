import type { Seen } from "./forger.ts";

/** Most queries per source port on average: a read asks each server a handful of questions from a new port. */
const QUERIES_A_PORT = 10;
const LOWEST_PORT = 1_024;
const MIDDLE_PORT = (LOWEST_PORT + 65_536) / 2;

/**
 * Describes in words the queries that a forger saw. Throws unless it saw all `packets` of them, from random ports of
 * 1,024 and above, with random ids and random letter case.
 */
export function describeQueries(
  { udp, tcp, forged, sourcePorts, ids, letters, capitals }: Seen,
  packets: number,
) {
  const ports = [...sourcePorts].sort((a, b) => a - b);
  const [lowest = 0] = ports;
  const share = capitals / letters;
  const expect = (holds: boolean, what: string) => {
    if (!holds) throw new Error(`the sample's queries were not hard to forge: ${what}`);
  };
  expect(udp + tcp === packets, `${udp + tcp} arrived, ${packets} are in evidence`);
  expect(lowest >= LOWEST_PORT, `one came from port ${lowest}`);
  expect(ports.length >= udp / QUERIES_A_PORT, `only ${ports.length} source ports`);
  expect(lowest < MIDDLE_PORT && (ports.at(-1) ?? 0) > MIDDLE_PORT, "all ports lie in one half");
  expect(ids.size > 0.8 * udp, `${ids.size} ids in ${udp} queries`);
  expect(Math.abs(share - 0.5) < 0.02, `${(100 * share).toFixed(0)} % capitals`);
  return (
    `${udp + tcp} queries from ${ports.length} ports (${lowest} to ${ports.at(-1)}), ` +
    `${ids.size} ids, ${(100 * share).toFixed(1)} % capitals, ${forged} forged answers, none believed`
  );
}
