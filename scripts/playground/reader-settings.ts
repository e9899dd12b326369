import type { ReaderSettings } from "#app/dns/resolve/reader.ts";
import { readerSettings as settingsOf } from "#app/dns-settings.server.ts";
import { parseEnvironment } from "#app/env.server.ts";

/** The settings the service derives from the DNS part of its environment, for tests that need only the reader. */
export const readerSettings = (
  dns: Record<string, string> & { DNS_ROOT_HINTS: string },
): ReaderSettings => settingsOf(parseEnvironment(dns));
