import type { Failure, Observation, ServerReading } from "../verdict/observation.ts";
import { carries } from "../verdict/publication-status.ts";
import { txtAnswer } from "./answers.ts";
import { confirmPath } from "./path-confirmation.ts";
import type { Read } from "./read.ts";
import { type Answering, judge } from "./referral.ts";
import { askAuthority } from "./servers.ts";

/** What servers that have the token say over TCP. */
export type SaidOverTcp = {
  /** By the first that answers there; unconfirmed where none does, null where there was nobody to ask. */
  confirmation: Observation["confirmation"];
  /** By host: how those failed that gave no answer. */
  failures: ReadonlyMap<string, Failure>;
};

/** Asks one server for TXT over TCP; where it does not answer, all others at once: whoever has TCP may confirm. */
export async function confirmOverTcp(
  read: Read,
  { challengeName: name, token }: Observation,
  zone: string,
  [first, ...others]: readonly Answering[],
): Promise<SaidOverTcp> {
  const failures = new Map<string, Failure>();
  if (!first) return { confirmation: null, failures };
  const ask = async (server: Answering) => {
    const reply = await askAuthority(read, zone, server, { name, type: "TXT" }, { tcp: true });
    if (!reply.ok) failures.set(server.host, reply.failure);
    else if (judge(reply.message, zone, name).type === "authoritative")
      return { ...server, confirmed: carries(txtAnswer(reply.message, name), token) };
    return null;
  };
  const confirmation = await ask(first);
  if (confirmation) return { confirmation, failures };
  const said = await Promise.all(others.map(ask));
  return { confirmation: said.find((one) => one) ?? { ...first, confirmed: false }, failures };
}

const isAnyHeard = ({ exchanges }: Read) =>
  exchanges.some(
    ({ transport, result }) =>
      transport === "tcp" && result !== "tcp_refused" && result !== "timeout",
  );

/** Whether anybody was heard over TCP in this read, the root and the registries at least, which are asked for the way. */
async function hasTcp(read: Read, zone: string): Promise<boolean> {
  if (!isAnyHeard(read)) await confirmPath(read, zone, []);
  return isAnyHeard(read);
}

/**
 * None of the servers with the token answers over TCP: how they fail there is what stands, where others are heard there
 * and the way to these servers holds.
 */
export async function settleUnconfirmed(
  read: Read,
  seen: Observation,
  zone: string,
  failures: SaidOverTcp["failures"],
  isWaySure: boolean,
): Promise<void> {
  if (!(await hasTcp(read, zone))) read.limit ??= "tcp";
  if (!isWaySure || read.limit !== null) return;
  seen.servers = seen.servers.map((server) => ({
    ...server,
    result: failures.get(server.host) ?? server.result,
  }));
}

/** No server of the zone answers, and some for want of TCP: where nobody is heard there, those count as not asked. */
export async function doubtOwnTcp(read: Read, seen: Observation, zone: string): Promise<void> {
  const isWanting = ({ result }: ServerReading) =>
    result === "tcp_refused" || result === "case_changed";
  if (!seen.servers.some(isWanting) || (await hasTcp(read, zone))) return;
  read.limit ??= "tcp";
  seen.servers = seen.servers.map((server) =>
    isWanting(server) ? { ...server, address: null, result: "timeout" } : server,
  );
}
