import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { parseCompleteList, parseRegistries, type Registries } from "@deed/dns/rdap/bootstrap.ts";
import { OutboundError } from "#app/core/outbound/failures.ts";
import type { Outbound, OutboundRequest } from "#app/core/outbound/outbound.server.ts";
import { DAY, HOUR } from "#app/core/time.ts";
import { packageFile } from "#db/package-file.ts";

declare module "#app/core/context.server.ts" {
  interface Context {
    /** How to ask registries over RDAP; null if they are not asked. */
    registry: { outbound: Outbound; list: RegistryList } | null;
  }
}

const IANA_URL = "https://data.iana.org/rdap/dns.json";
const MAX_BYTES = 1024 * 1024;
const FRESH_MS = 7 * DAY;
const RETRY_MS = 6 * HOUR;

/** The list of the registries' servers. `renew` replaces an old list, and never throws. `now` is in epoch milliseconds. */
export type RegistryList = {
  current(): Registries;
  renew(now: number, signal: AbortSignal): Promise<void>;
};

/** Reads the list in this package. Throws if it is missing. */
export const shippedRegistries = (): Registries =>
  parseRegistries(readFileSync(packageFile("packages/dns/rdap/registries.json"), "utf8")) ??
  new Map();

export const fixedList = (registries: Registries): RegistryList => ({
  current: () => registries,
  renew: async () => {},
});

function readKept(path: string): Registries | null {
  try {
    return parseCompleteList(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}

/** Keeps IANA's list in a file, and fetches it again after a week; before the first fetch, uses the list in this package. */
export function cachedList(path: string, outbound: Outbound, report: (problem: string) => void) {
  let registries: Registries | null = null;
  let nextAt = 0;

  async function renew(now: number, signal: AbortSignal) {
    const keptAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (now < nextAt || now - keptAt < FRESH_MS) return;
    nextAt = now + RETRY_MS;
    try {
      const request: OutboundRequest = { method: "GET", url: IANA_URL, maxBytes: MAX_BYTES };
      const { status, body } = await outbound.call(request, signal);
      const text = body.toString("utf8");
      const list = status === 200 ? parseCompleteList(text) : null;
      if (!list) return report(`status ${status}, not a list of registries`);
      registries = list;
      const draftPath = `${path}.${process.pid}`;
      writeFileSync(draftPath, text, { mode: 0o600 });
      renameSync(draftPath, path);
    } catch (error) {
      if (!signal.aborted) report(error instanceof OutboundError ? error.reason : String(error));
    }
  }

  return {
    current() {
      registries ??= readKept(path) ?? shippedRegistries();
      return registries;
    },
    renew,
  };
}
