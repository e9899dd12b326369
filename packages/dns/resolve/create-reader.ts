import { isQueryable, under } from "../names.ts";
import { glance } from "./glance.ts";
import { networkOf, Read } from "./read.ts";
import { readChallenge } from "./read-challenge.ts";
import { AddressFull, type Reader, type ReaderSettings } from "./reader.ts";
import { readZone } from "./zone-cuts.ts";

/** An address whose queue is longer than this has no room. A busy address never has an empty queue. */
const ROOM_WAIT_MS = 100;

/** Each read has 20 seconds. The caller limits how many run at once. RangeError: a name not in lower-case ASCII. */
export function createReader(settings: ReaderSettings): Reader {
  const network = networkOf(settings);
  const run = async <T>(
    signal: AbortSignal,
    work: (read: Read) => Promise<T>,
    isAwaited?: () => boolean,
  ) => {
    signal.throwIfAborted();
    const read = new Read(network, signal, isAwaited);
    try {
      const result = await work(read);
      signal.throwIfAborted();
      return { result, full: read.fullAddress };
    } finally {
      read.finish();
      settings.onPackets?.(read.exchanges);
    }
  };
  return {
    readChallenge: async (question, signal) => {
      const { domain, label, isAwaited = () => false } = question;
      if (!isReadable(domain) || under(label, domain) === null)
        throw new RangeError("not a name that a challenge can be at");
      const { result, full } = await run(signal, (one) => readChallenge(one, question), isAwaited);
      if (full !== null) throw new AddressFull(full);
      return result;
    },
    readZone: async (name, signal) => {
      if (!isReadable(name)) throw new RangeError("not a name");
      const { result, full } = await run(signal, (one) => readZone(one, name));
      return full === null ? result : { type: "unresolvable" };
    },
    glance: async (question, signal) => (await run(signal, (one) => glance(one, question))).result,
    mayGlance: (address) => network.pacer.isFree(address),
    hasRoom: (address) => network.pacer.waitMs(address) <= ROOM_WAIT_MS,
    close: () => {
      for (const channel of network.channels.values()) channel.close();
    },
  };
}

const isReadable = (name: string) => name !== "." && isQueryable(name) && !/[A-Z ]/.test(name);
