import { MAX_ADDRESSES, type Read } from "./read.ts";
import type { Answering } from "./referral.ts";

/** Silence after which the next server of a zone is also asked. */
const STAGGER_MS = 600;
const MAX_SERVERS_TRIED = 6;

/** Known addresses that may be asked: the first of every host, then the second ones, those with room before the full. */
export function candidates(read: Read, hosts: readonly string[]): Answering[] {
  const usable = hosts.map((host) => ({
    host,
    addresses: (read.glue.get(host) ?? []).filter(read.network.permits),
  }));
  const ranked = Array.from({ length: MAX_ADDRESSES }, (_, rank) =>
    usable.flatMap(({ host, addresses }) => {
      const address = addresses[rank];
      return address === undefined ? [] : [{ host, address }];
    }),
  );
  const isFull = ({ address }: Answering) => Number(!read.hasRoom(address));
  return ranked
    .flat()
    .sort((one, other) => isFull(one) - isFull(other))
    .slice(0, MAX_SERVERS_TRIED);
}

/** Asks servers one after the other, overlapping, until one gives an answer; null if none does. */
export function firstAnswer<T>(
  servers: readonly Answering[],
  ask: (server: Answering) => Promise<T | null>,
): Promise<T | null> {
  return new Promise((resolve, reject) => {
    let next = 0;
    let open = 0;
    let over = false;
    let timer: NodeJS.Timeout | undefined;
    const settle = (answer: T | null) => {
      over = true;
      clearTimeout(timer);
      resolve(answer);
    };
    const launch = () => {
      clearTimeout(timer);
      const server = servers[next];
      if (!server) {
        if (open === 0) settle(null);
        return;
      }
      next += 1;
      open += 1;
      timer = setTimeout(launch, STAGGER_MS);
      ask(server).then((answer) => {
        open -= 1;
        if (over) return;
        if (answer) settle(answer);
        else launch();
      }, reject);
    };
    launch();
  });
}
