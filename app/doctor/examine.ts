import { timeSources } from "#app/dns/resolve/https-time.ts";
import { escapeUntrusted } from "#app/dns/verdict/escape-untrusted.ts";
import { readerSettings } from "#app/dns-settings.server.ts";
import { reasonOf } from "#app/environment/places.server.ts";
import { examineClock } from "./clock.ts";
import { examineConfiguration } from "./configuration.ts";
import { examineDatabase } from "./database.ts";
import { adviceOn, examineDisk } from "./disk.ts";
import { examineFiles } from "./file-modes.ts";
import { about, type Finding, type Probe } from "./finding.ts";
import { examineIdentityProvider } from "./identity-provider.ts";
import { examineLitefs } from "./litefs.ts";
import { examineMail } from "./mail.ts";
import { examinePort } from "./port.ts";
import { examineIpv6, examineRootServers } from "./root-servers.ts";
import { examineWitnesses } from "./witnesses.ts";

/** Longer than any probe takes by its own limits, except one whose server trickles. */
const PROBE_MS = 12_000;

/** What servers, paths and variables say is not to be trusted on a terminal. */
const LONGEST = 1_000;
const harmless = (finding: Finding): Finding => ({
  ...finding,
  text: escapeUntrusted(finding.text, LONGEST),
  advice: finding.advice && escapeUntrusted(finding.advice, LONGEST),
});

type Options = {
  /** The environment as given, with .env. */
  source: Record<string, string | undefined>;
  /** What .env alone says. */
  dotEnv?: Record<string, string | undefined>;
  /** Where to send a test mail; null for none. */
  mailTo: string | null;
  /** CA certificates (PEM) for witnesses; default Node's. */
  authorities?: string[];
};

/** The findings of one probe. One that throws, or does not end, is a finding too. */
async function bounded(subject: string, probe: Probe): Promise<Finding[]> {
  const { broken } = about(subject);
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<Finding[]>((resolve) => {
    timer = setTimeout(() => {
      over.abort();
      const text = `no result within ${PROBE_MS / 1_000} s`;
      resolve([broken(text, "Run it again; if it stays so, look what is slow on the way there.")]);
    }, PROBE_MS);
  });
  try {
    return await Promise.race([probe(over.signal), tooLong]);
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (path && (code === "EACCES" || code === "EPERM")) {
      const text = reasonOf(error, path);
      return [broken(text, adviceOn(text))];
    }
    const reason = error instanceof Error ? error.message : String(error);
    return [broken(`could not be examined: ${reason}`, "Report this as a bug of Deed.")];
  } finally {
    clearTimeout(timer);
  }
}

/** Examines the configuration and everything it names, side by side, and returns the findings in a fixed order. */
export async function examine({
  source,
  dotEnv = {},
  mailTo,
  authorities,
}: Options): Promise<Finding[]> {
  const { env, findings } = examineConfiguration(source, dotEnv);
  const settings = { ...readerSettings(env), ...(authorities && { authorities }) };
  const isClockTrusted = env.CLOCK_TRUSTED === "on";
  const probes: [subject: string, probe: Probe][] = [
    ["Port", examinePort(env)],
    ["DNS", examineRootServers(settings)],
    ["IPv6", examineIpv6(settings)],
    ["Witness", examineWitnesses(settings)],
    ["Clock", examineClock(timeSources(settings), isClockTrusted, Date.now)],
    ["Mail", examineMail(env, mailTo)],
    ["OpenID Connect", examineIdentityProvider(env)],
    ["Disk", examineDisk(env)],
    ["Files", examineFiles(env)],
    ["Database", examineDatabase(env)],
    ["LiteFS", examineLitefs(env)],
  ];
  const examined = await Promise.all(probes.map(([subject, probe]) => bounded(subject, probe)));
  return [...findings, ...examined.flat()].map(harmless);
}
