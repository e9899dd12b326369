import type { Failure, Observation, ServerReading } from "../verdict/observation.ts";
import { hasToken } from "../verdict/publication-status.ts";
import type { Message } from "../wire/message.ts";
import { txtAnswer } from "./answers.ts";
import { askAuthority, authoritative } from "./authority.ts";
import { confirmPath } from "./path-confirmation.ts";
import type { Read } from "./read.ts";
import type { Answering } from "./referral.ts";

/** What servers with the token answer over TCP. */
export type TcpAnswers = {
  /** From the first that answers without the token, else from one with it; null if there was none to ask. */
  confirmation: Observation["confirmation"];
  /** How each server that did not answer failed, by host. */
  failures: ReadonlyMap<string, Failure>;
};

/**
 * Asks every server for TXT, with signatures, over TCP: one confirms the record, and none may answer without it. Those
 * that gave no answer over UDP are asked there once more, with the letters as given, in case they deny it.
 */
export async function confirmOverTcp(
  read: Read,
  { challengeName: name, token }: Observation,
  zone: string,
  servers: readonly Answering[],
): Promise<TcpAnswers> {
  const failures = new Map<string, Failure>();
  const [first] = servers;
  if (!first) return { confirmation: null, failures };
  const question = { name, type: "TXT" } as const;
  const confirms = (message: Message) => hasToken(txtAnswer(message, name), token);
  const overTcp = servers.map(async (server) => {
    const options = { tcp: true, dnssec: true };
    const answer = await askAuthority(read, zone, server, question, options);
    if ("failure" in answer) failures.set(server.host, answer.failure);
    else if (answer.classification.type === "authoritative")
      return { ...server, confirmed: confirms(answer.message) };
    return [];
  });
  const mute = servers.filter(({ address }) => read.tcpOnly.has(address));
  const overUdp = mute.map(async (server) => {
    const message = await authoritative(read, zone, server, question, { asGiven: true });
    return message && !confirms(message) ? { ...server, confirmed: false } : [];
  });
  const given = (await Promise.all([...overTcp, ...overUdp])).flat();
  const denying = given.find(({ confirmed }) => !confirmed);
  if (denying) return { confirmation: { ...denying, differs: true }, failures };
  return { confirmation: given[0] ?? { ...first, confirmed: false }, failures };
}

const isAnsweredOverTcp = ({ exchanges }: Read) =>
  exchanges.some(
    ({ transport, result }) =>
      transport === "tcp" && result !== "tcp_refused" && result !== "timeout",
  );

/**
 * Whether anything answered over TCP in this read. If nothing has, confirms the path first, which asks the root and the
 * registries over TCP.
 */
async function hasTcp(read: Read, zone: string): Promise<boolean> {
  if (!isAnsweredOverTcp(read)) await confirmPath(read, zone, []);
  return isAnsweredOverTcp(read);
}

/**
 * No server with the token answers over TCP: reports their TCP failures as results, provided that other servers answer
 * over TCP and the path to these servers is confirmed.
 */
export async function recordTcpFailures(
  read: Read,
  seen: Observation,
  zone: string,
  failures: TcpAnswers["failures"],
  isPathConfirmed: boolean,
): Promise<void> {
  if (!(await hasTcp(read, zone))) read.limit ??= "tcp";
  if (!isPathConfirmed || read.limit !== null) return;
  seen.servers = seen.servers.map((server) => ({
    ...server,
    result: failures.get(server.host) ?? server.result,
  }));
}

/** No server of the zone answers, some for lack of TCP: if nothing answers over TCP, those count as not asked. */
export async function checkOwnTcp(read: Read, seen: Observation, zone: string): Promise<void> {
  const lacksTcp = ({ result }: ServerReading) =>
    result === "tcp_refused" || result === "case_changed";
  if (!seen.servers.some(lacksTcp) || (await hasTcp(read, zone))) return;
  read.limit ??= "tcp";
  seen.servers = seen.servers.map((server) =>
    lacksTcp(server) ? { ...server, address: null, result: "timeout" } : server,
  );
}
