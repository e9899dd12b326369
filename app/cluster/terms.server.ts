import { readFileSync, writeFileSync } from "node:fs";
import * as z from "zod";
import type { Log } from "#app/core/context.server.ts";
import { FaultLog } from "#app/core/fault-log.ts";
import { askState, UntrustedAnswer } from "./node-state.server.ts";

type Options = {
  otherNodes: readonly string[];
  port: number;
  secret: string;
  /** Returns the term of this node's database, or 0 if it has none. */
  localTerm: () => number;
  /** The file with the other nodes' terms, so that a restarted node knows them while those nodes are down. */
  file: string;
  log: Log;
};

export type Successor = { node: string; term: number };

const KnownTerms = z.record(z.string(), z.int());

const newFaultLogs = () => ({
  rival: new FaultLog(
    "a node that was the primary before this one still takes writes, which will be lost: stop that node",
    "the former primary takes no more writes",
  ),
  stranger: new FaultLog(
    "the answer at this node's address is not trusted: it lacks this CLUSTER_SECRET, has another address in LITEFS_URL, or is an older Deed",
    "no untrusted answer comes from this node's address any more",
  ),
});

/** Tells from the terms of other nodes whether one was promoted later: with a static lease, LiteFS does not tell. */
export class Terms {
  readonly #knownTerms: Map<string, number>;
  readonly #faults: Map<string, ReturnType<typeof newFaultLogs>>;

  constructor(private readonly options: Options) {
    this.#knownTerms = new Map(Object.entries(readKnownTerms(options.file)));
    this.#faults = new Map(options.otherNodes.map((node) => [node, newFaultLogs()]));
  }

  /** Asks all other nodes for their terms. While a node does not answer, its last answer counts. */
  async ask(): Promise<void> {
    const termsBefore = JSON.stringify([...this.#knownTerms]);
    await Promise.all(this.options.otherNodes.map((node) => this.#askNode(node)));
    if (JSON.stringify([...this.#knownTerms]) !== termsBefore) this.#storeTerms();
  }

  successor(): Successor | null {
    const localTerm = this.options.localTerm();
    const laterTerms = this.options.otherNodes
      .map((node) => ({ node, term: this.#knownTerms.get(node) ?? 0 }))
      .filter(({ term }) => term > localTerm)
      .sort((a, b) => b.term - a.term);
    return laterTerms[0] ?? null;
  }

  async #askNode(node: string): Promise<void> {
    const { log, localTerm, port, secret } = this.options;
    const faults = this.#faults.get(node);
    try {
      const { role, term } = await askState(node, port, secret);
      if (term) this.#knownTerms.set(node, term);
      else this.#knownTerms.delete(node);
      faults?.stranger.note(log, false);
      faults?.rival.note(log, role === "primary" && (term ?? 0) < localTerm(), { node });
    } catch (error) {
      faults?.stranger.note(log, error instanceof UntrustedAnswer, { node });
    }
  }

  #storeTerms(): void {
    try {
      const text = JSON.stringify(Object.fromEntries(this.#knownTerms));
      writeFileSync(this.options.file, text, { mode: 0o600 });
    } catch (error) {
      this.options.log.warn({ err: error }, "the other nodes' terms could not be stored");
    }
  }
}

function readKnownTerms(file: string): Record<string, number> {
  try {
    return KnownTerms.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return {};
  }
}
