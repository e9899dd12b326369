import type { LabQuery } from "@deed/dns/testing/lab-server.ts";
import type { Chance } from "./chance.ts";

/** How a server can be reached. Resolvers have IPv6, keep letter case, and wait long enough for any server. */
export type Manner = {
  udp: "answers" | "loses_first" | "silent";
  tcp: "answers" | "refuses" | "silent";
  /** Its reaction to capital letters: some servers echo them in lower case, refuse them, or drop such questions. */
  capitals: "keeps" | "lowers" | "refuses" | "drops";
  /** Whether it reacts so to capitals over TCP too. */
  isStrict: boolean;
  delayMs: number;
  /** Whether it answers always, until TURN_MS, or from then on. */
  life: "always" | "first" | "later";
  /** Whether it answers only resolvers, for example behind a firewall. */
  isHidden: boolean;
};

/** When changing zones and servers change, after the first read's start: that read is over, and the next not yet begun. */
export const TURN_MS = 45_000;
const SLOW_MS = 3_000;

export const PLAIN: Manner = {
  udp: "answers",
  tcp: "answers",
  capitals: "keeps",
  isStrict: false,
  delayMs: 0,
  life: "always",
  isHidden: false,
};

/** Most servers do nothing odd, the others one or two odd things. */
export function drawManner(chance: Chance): Manner {
  const manner = { ...PLAIN, isStrict: chance.holds(0.5) };
  const lag = 5 + chance.below(60);
  manner.delayMs = lag;
  for (let count = chance.pick([0, 0, 1, 1, 2]); count > 0; count -= 1) {
    const capitals = chance.pick(["lowers", "refuses"] as const);
    chance.pick([
      () => Object.assign(manner, { udp: "silent" }),
      () => Object.assign(manner, { udp: "loses_first" }),
      () => Object.assign(manner, { tcp: chance.pick(["refuses", "silent"]) }),
      () => Object.assign(manner, { capitals }),
      () => Object.assign(manner, { capitals: "drops" }),
      () => Object.assign(manner, { delayMs: lag + chance.pick([800, 1_600, SLOW_MS - lag]) }),
      () => Object.assign(manner, { life: chance.pick(["first", "later"]) }),
      () => Object.assign(manner, { isHidden: true }),
    ])();
  }
  return manner;
}

const isAlive = ({ life }: Manner, at: number) =>
  life === "always" || (life === "first") === at < TURN_MS;

export const transportsOf = ({ udp, tcp }: Manner): ("udp" | "tcp")[] => [
  ...(udp === "silent" ? [] : ["udp" as const]),
  ...(tcp === "answers" ? ["tcp" as const] : []),
];

/** Whether the server answers resolvers at this time, in milliseconds from the first read. */
export const answersResolvers = (manner: Manner, at: number): boolean =>
  isAlive(manner, at) && transportsOf(manner).length > 0;

/** `lowers`: answers with the question in lower case. `closed`: nothing listens. */
export type Answering = "answers" | "lowers" | "refuses" | "silent" | "closed";

/** What happens to the reader's question. `times`: how often it was asked over this transport before. */
export function answering(manner: Manner, query: LabQuery, at: number, times: number): Answering {
  const { transport, rawName } = query;
  if (!isAlive(manner, at) || manner.isHidden) return "silent";
  if (transport === "udp" && manner.udp !== "answers" && (manner.udp === "silent" || times === 0))
    return "silent";
  if (transport === "tcp" && manner.tcp !== "answers")
    return manner.tcp === "refuses" ? "closed" : "silent";
  const minds = /[A-Z]/.test(rawName) && (transport === "udp" || manner.isStrict);
  if (!minds || manner.capitals === "keeps") return "answers";
  return manner.capitals === "drops" ? "silent" : manner.capitals;
}
