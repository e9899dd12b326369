import { isAskable, under } from "../names.ts";
import { readChallenge } from "./challenge.ts";
import { Network, Read } from "./read.ts";
import type { Reader, ReaderSettings } from "./reader.ts";
import { readText } from "./text.ts";
import { readWildcard } from "./wildcard.ts";
import { readZone } from "./zone.ts";

/**
 * Creates a DNS reader that uses its own sockets and no system resolver, starting from the root hints. Each read has 10
 * s; the caller must limit how many run at once. Names must be ASCII, lower case, without the trailing dot; any other
 * name is a RangeError.
 */
export function createReader(settings: ReaderSettings): Reader {
  const network = new Network(settings);
  const run = async <T>(signal: AbortSignal, work: (read: Read) => Promise<T>): Promise<T> => {
    const read = new Read(network, signal);
    try {
      const result = await work(read);
      signal.throwIfAborted();
      return result;
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
      return run(signal, (read) => readChallenge(read, question));
    },
    readZone: async (name, signal) => {
      signal.throwIfAborted();
      if (!isReadable(name)) throw new RangeError("not a name");
      return run(signal, (read) => readZone(read, name));
    },
    readWildcard: async (name, signal) => {
      signal.throwIfAborted();
      if (!isReadable(name)) throw new RangeError("not a name");
      return run(signal, (read) => readWildcard(read, name));
    },
    readText: async (name, signal) => {
      signal.throwIfAborted();
      if (!isReadable(name)) throw new RangeError("not a name");
      return run(signal, (read) => readText(read, name));
    },
    close: () => {
      for (const channel of network.channels.values()) channel.close();
    },
  };
}

function isReadable(name: string): boolean {
  return name !== "." && isAskable(name) && !/[A-Z ]/.test(name);
}
