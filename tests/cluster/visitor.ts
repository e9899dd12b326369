import { type Answer, Client, signIn } from "../support/deed.ts";
import { startWriting, type Writing } from "../support/writing.ts";
import type { Cluster } from "./cluster.ts";
import type { Machine } from "./machine.ts";

export class Visitor extends Client {
  timeoutMs = 30_000;

  constructor(public next: () => Pick<Machine, "url">) {
    super("");
  }

  override get url(): string {
    return this.next().url;
  }

  override request(
    method: string,
    path: string,
    options: Parameters<Client["request"]>[2] = {},
  ): Promise<Answer> {
    const signal = AbortSignal.timeout(this.timeoutMs);
    return super.request(method, path, { signal, ...options });
  }
}

export const visit = (cluster: Cluster, email: string, next: () => Machine): Promise<Visitor> =>
  signIn({ url: cluster.baseUrl, outbox: () => cluster.outbox() }, email, new Visitor(next));

let writers = 0;

export async function writeThrough(
  cluster: Cluster,
  next: () => Machine,
  width?: number,
): Promise<Writing & { client: Visitor }> {
  const visitor = await visit(cluster, `writer${++writers}@holder.example`, next);
  return Object.assign(startWriting(visitor, width), { client: visitor });
}

export const anyOf = (machines: Machine[]) => () => {
  const machine = machines[Math.floor(Math.random() * machines.length)];
  if (!machine) throw new Error("no machines");
  return machine;
};
