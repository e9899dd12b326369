import { isAskable, under } from "../names.ts";
import { readChallenge } from "./challenge.ts";
import { Network, Read } from "./read.ts";
import { AddressFull, type Reader, type ReaderSettings } from "./reader.ts";
import { readZone } from "./zone.ts";

/** An address with packets ahead for longer has no room: one that is asked all the time is never quite empty. */
const ROOM_MS = 100;

/**
 * Creates a DNS reader that uses its own sockets and no system resolver, starting from the root hints. Each read has 20
 * s; the caller must limit how many run at once. Names must be ASCII, lower case, without the trailing dot; any other
 * name is a RangeError.
 */
export function createReader(settings: ReaderSettings): Reader {
  const network = new Network(settings);
  const run = async <T>(
    signal: AbortSignal,
    work: (read: Read) => Promise<T>,
    whenFull: (address: string) => T,
    isAwaited?: () => boolean,
  ): Promise<T> => {
    const read = new Read(network, signal, isAwaited);
    try {
      const result = await work(read);
      signal.throwIfAborted();
      return read.fullAddress === null ? result : whenFull(read.fullAddress);
    } finally {
      read.finish();
      settings.onPackets?.(read.exchanges);
    }
  };
  return {
    readChallenge: async (question, signal) => {
      signal.throwIfAborted();
      const { domain, label } = question;
      if (!isReadable(domain) || under(label, domain) === null) {
        throw new RangeError("not a name that a challenge can be at");
      }
      const turnAway = (address: string) => {
        throw new AddressFull(address);
      };
      const { isAwaited = () => false } = question;
      return run(signal, (read) => readChallenge(read, question), turnAway, isAwaited);
    },
    readZone: async (name, signal) => {
      signal.throwIfAborted();
      if (!isReadable(name)) throw new RangeError("not a name");
      return run(signal, (read) => readZone(read, name), unresolvable);
    },
    hasRoom: (address) => network.pacer.lead(address) <= ROOM_MS,
    close: () => {
      for (const channel of network.channels.values()) channel.close();
    },
  };
}

const unresolvable = () => ({ type: "unresolvable" }) as const;

function isReadable(name: string): boolean {
  return name !== "." && isAskable(name) && !/[A-Z ]/.test(name);
}
