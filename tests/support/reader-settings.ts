import type { ReaderSettings } from "@deed/dns/resolve/reader.ts";
import { parseEnvironment } from "#app/environment/env.server.ts";
import { readerSettings as settingsOf } from "#app/ops/settings.server.ts";

/** The settings that the service derives from its DNS variables, for tests that only need the reader. */
export const readerSettings = (
  dns: Record<string, string> & { DNS_ROOT_HINTS: string },
): ReaderSettings => settingsOf(parseEnvironment(dns));
