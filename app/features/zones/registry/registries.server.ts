import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { parseRegistries, parseWholeList, type Registries } from "@deed/dns/rdap/bootstrap.ts";
import { OutboundError } from "#app/core/outbound/failures.ts";
import type { Outbound } from "#app/core/outbound/outbound.server.ts";
import { DAY, HOUR } from "#app/core/time.ts";
import { packageFile } from "#db/package-file.ts";

declare module "#app/core/context.server.ts" {
  interface Context {
    /** How registries are asked over RDAP; null if they are not. */
    registry: { outbound: Outbound; list: RegistryList } | null;
  }
}

const IANA_URL = "https://data.iana.org/rdap/dns.json";
const MOST_BYTES = 1024 * 1024;
const FRESH_MS = 7 * DAY;
const RETRY_MS = 6 * HOUR;

/** Which registry answers where. */
export type RegistryList = {
  current(): Registries;
  /** Renews the list if it is old. Never throws; a list that cannot be had or read changes nothing. `now`: epoch milliseconds. */
  renew(now: number, signal: AbortSignal): Promise<void>;
};

/** The list that comes with Deed. Throws if the package lacks it. */
export const shippedRegistries = (): Registries =>
  parseRegistries(readFileSync(packageFile("packages/dns/rdap/registries.json"), "utf8")) ??
  new Map();

/** A list that stays as it is. */
export const fixedList = (registries: Registries): RegistryList => ({
  current: () => registries,
  renew: async () => {},
});

/** IANA's list, kept as a file and fetched anew once it is a week old; the one that comes with Deed until then. */
export class KeptList implements RegistryList {
  readonly #path: string;
  readonly #outbound: Outbound;
  readonly #report: (problem: string) => void;
  #registries: Registries | null = null;
  #nextAt = 0;

  constructor(path: string, outbound: Outbound, report: (problem: string) => void) {
    this.#path = path;
    this.#outbound = outbound;
    this.#report = report;
  }

  current(): Registries {
    this.#registries ??= this.#kept() ?? shippedRegistries();
    return this.#registries;
  }

  async renew(now: number, signal: AbortSignal): Promise<void> {
    if (now < this.#nextAt || now - this.#keptAt() < FRESH_MS) return;
    this.#nextAt = now + RETRY_MS;
    try {
      const request = { method: "GET", url: IANA_URL, mostBytes: MOST_BYTES } as const;
      const { status, body } = await this.#outbound.call(request, signal);
      const text = body.toString("utf8");
      const registries = status === 200 ? parseWholeList(text) : null;
      if (!registries) return this.#report(`status ${status}, not a list of registries`);
      this.#registries = registries;
      this.#keep(text);
    } catch (error) {
      if (!signal.aborted)
        this.#report(error instanceof OutboundError ? error.reason : String(error));
    }
  }

  #keep(text: string): void {
    const draft = `${this.#path}.${process.pid}`;
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, this.#path);
  }

  #kept(): Registries | null {
    try {
      return parseWholeList(readFileSync(this.#path, "utf8"));
    } catch {
      return null;
    }
  }

  /** When the file was written, epoch milliseconds; 0 if there is none. */
  #keptAt(): number {
    return statSync(this.#path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  }
}
