import { setTimeout as delay } from "node:timers/promises";
import type { Handler } from "./listener.ts";
import { type Query, type Response, readQuery, writeResponse } from "./message.ts";
import { ancestry, canonical } from "./names.ts";

/**
 * How a server misbehaves: silence, REFUSED, SERVFAIL, non-authoritative answers (AA clear), garbage, or a delay in
 * milliseconds.
 */
export type ServerFault =
  | "silent"
  | "refused"
  | "servfail"
  | "not_authoritative"
  | "malformed"
  | { delayMs: number };

/** A DNS server that can be made to misbehave, for all names or only at and below one. */
export abstract class DnsServer {
  /** Messages received so far. */
  received = 0;
  readonly #faults = new Map<string, ServerFault>();

  protected abstract answer(query: Query): Response | Promise<Response>;

  /** Sets the fault for the names at and below `below`; null clears it. The most specific fault applies. */
  setFault(fault: ServerFault | null, below = ""): void {
    if (fault === null) this.#faults.delete(below);
    else this.#faults.set(below, fault);
  }

  /** Clears the faults set for names at and below `below`. */
  clearFaults(below: string): void {
    for (const name of this.#faults.keys())
      if (ancestry(name).includes(below)) this.#faults.delete(name);
  }

  #faultFor(name: string): ServerFault | undefined {
    const closestName = ancestry(name).find((candidate) => this.#faults.has(candidate));
    return closestName === undefined ? undefined : this.#faults.get(closestName);
  }

  readonly handle: Handler = async (message, transport) => {
    this.received += 1;
    const query = readQuery(message);
    if (!query) return null;
    const fault = this.#faultFor(canonical(query.name));
    if (fault === "silent") return null;
    if (fault === "malformed") return Buffer.concat([message.subarray(0, 4), Buffer.alloc(9, 255)]);
    if (fault === "refused") return writeResponse(query, { rcode: "REFUSED" }, transport);
    if (fault === "servfail") return writeResponse(query, { rcode: "SERVFAIL" }, transport);
    if (typeof fault === "object") await delay(fault.delayMs);
    const response = await this.answer(query);
    if (fault === "not_authoritative") response.authoritative = false;
    return writeResponse(query, response, transport);
  };
}
