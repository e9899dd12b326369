import { isIPv6 } from "node:net";
import { networkInterfaces } from "node:os";
import { ROOT } from "@deed/dns/names.ts";
import { exchange } from "@deed/dns/resolve/exchange.ts";
import { networkOf, Read } from "@deed/dns/resolve/read.ts";
import type { ReaderSettings } from "@deed/dns/resolve/reader.ts";
import { addressPolicy } from "@deed/dns/wire/address.ts";
import { shuffled } from "@deed/dns/wire/message.ts";
import type { Log } from "#app/core/context.server.ts";
import { about, type Finding } from "./finding.ts";

const ASKED_OVER_TCP = 3;
const ASKED_OVER_IPV6 = 3;

type Work<T> = (read: Read) => Promise<T>;

export async function withRead<T>(settings: ReaderSettings, signal: AbortSignal, work: Work<T>) {
  const network = networkOf(settings);
  const read = new Read(network, signal);
  try {
    return await work(read);
  } finally {
    read.finish();
    for (const channel of network.channels.values()) channel.close();
  }
}

type Answer = "root" | "other" | "none";

const QUESTION = { name: ROOT, type: "SOA" } as const;

const ask =
  (read: Read, tcp: boolean) =>
  async (address: string): Promise<Answer> => {
    const target = { server: address, address, port: read.network.settings.port };
    const options = { read, target, question: QUESTION, faultOf: () => null };
    const { message, failure } = await exchange(options, { tcp });
    if (!message) return failure === "malformed" ? "other" : "none";
    const isSoa = message.answers.some(({ type, name }) => type === "SOA" && name === ROOT);
    return message.aa && isSoa ? "root" : "other";
  };

function finding(way: "UDP" | "TCP", answers: readonly Answer[], port: number, remedy: string) {
  const { ok, warning, broken } = about(`DNS over ${way}`);
  const count = (kind: Answer) => answers.filter((answer) => answer === kind).length;
  const text = `${count("root")} of ${answers.length} root servers answered on port ${port}`;
  if (count("other") > 0)
    return broken(
      `something on the path answers in place of ${count("other")} of ${answers.length} root servers`,
      `Let DNS traffic leave this machine unchanged: turn off the router's or provider's DNS interception for ${way} port ${port}.`,
    );
  if (count("root") === 0)
    return broken(
      text,
      `Allow outgoing ${way} from this machine to port ${port} of any address, and the answers back in: ${remedy}`,
    );
  if (count("root") * 2 < answers.length)
    return warning(text, "Look for packet loss or a firewall that allows some addresses only.");
  return ok(text);
}

const hasIpv6 = (): boolean =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .some(({ family, internal, address }) =>
      family === "IPv6" ? !internal && !/^fe[89ab]/i.test(address) : false,
    );

const addressesIn = ({ rootHints, allowAddresses, denyAddresses }: ReaderSettings) =>
  rootHints
    .flatMap(({ addresses }) => addresses)
    .filter(addressPolicy(allowAddresses, denyAddresses));

const NO_ADDRESS = about("DNS over UDP").broken(
  "no root server has an address that may be asked",
  "DNS_ROOT_HINTS names private addresses: list their network in DNS_ALLOW_ADDRESSES.",
);

/** Asks over IPv4 only, because a machine without IPv4 is not supported. */
export async function examineRootServers(settings: ReaderSettings, signal: AbortSignal) {
  const { port } = settings;
  const addresses = addressesIn(settings).filter((address) => !isIPv6(address));
  if (addresses.length === 0) return NO_ADDRESS;
  const tcpAddresses = shuffled(addresses).slice(0, ASKED_OVER_TCP);
  const askAll = (read: Read, all: string[], tcp: boolean) => Promise.all(all.map(ask(read, tcp)));
  const [udp, tcp] = await withRead(settings, signal, (read) =>
    Promise.all([askAll(read, addresses, false), askAll(read, tcpAddresses, true)]),
  );
  const isPortShut = [...udp, ...tcp].every((answer) => answer === "none");
  const dnssecOnly = "until then only domains with DNSSEC are proved, by resolvers over HTTPS.";
  const remedy = (otherwise: string) => (isPortShut ? dnssecOnly : otherwise);
  return [
    finding("UDP", udp, port, remedy("no zone can be read without it.")),
    finding("TCP", tcp, port, remedy("no claim is proved before an answer is confirmed over TCP.")),
  ].flat();
}

export async function warnOfShutPort(settings: ReaderSettings, log: Log, signal: AbortSignal) {
  const findings = await examineRootServers(settings, signal);
  for (const { subject, status, text, advice } of findings)
    if (status === "broken" && !signal.aborted)
      log.warn({ warning: "port_53_shut", reason: `${subject}: ${text}` }, advice ?? text);
}

export async function examineIpv6(
  settings: ReaderSettings,
  signal: AbortSignal,
  isPresent = hasIpv6,
): Promise<Finding[]> {
  const { ok, warning } = about("IPv6");
  const advice =
    "Give this machine IPv6. Without it, Deed can read every zone except those that have only IPv6 nameservers.";
  if (!isPresent()) return warning("this machine has no IPv6 address", advice);
  const addresses = shuffled(addressesIn(settings).filter((address) => isIPv6(address)));
  if (addresses.length === 0)
    return ok("this machine has an IPv6 address, but no root hint has one");
  const answers = await withRead(settings, signal, (read) =>
    Promise.all(addresses.slice(0, ASKED_OVER_IPV6).map(ask(read, false))),
  );
  return answers.includes("root")
    ? ok("root servers answer over IPv6")
    : warning("this machine has an IPv6 address, but no root server answers over IPv6", advice);
}
