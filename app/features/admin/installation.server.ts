import { counted, durationInWords } from "@deed/dns/words/wording.ts";
import { DAY, MINUTE, SECOND } from "#app/core/time.ts";
import { freeBytes, statOf } from "#app/environment/paths.server.ts";
import type { App } from "#app/http/app.server.ts";
import { dayText } from "#app/ui/time.tsx";
import { newestBackupAt } from "#db/backup.ts";
import { listKeys } from "../receipts/keys.server.ts";
import { type DnsState, readBacklog, readDnsState } from "./health.server.ts";

/** With less than this the disk may be full before anybody looks again. */
const LOW_BYTES = 512 * 1024 * 1024;
/** A backup this old means that a daily backup was missed. */
const OLD_BACKUP_MS = 2 * DAY;
const SLOW_QUEUE_MS = 10 * MINUTE;

export type Tone = "proved" | "ended" | "needs";
/** The state of one part; `tone` is null for what is neither good nor bad. */
type State = readonly [tone: Tone | null, text: string];
export type PartOfInstallation = Record<"name" | "text" | "page", string> & { tone: State[0] };

const sizeText = (bytes: number) =>
  bytes < 10 * 2 ** 30 ? `${Math.ceil(bytes / 2 ** 20)} MB` : `${Math.floor(bytes / 2 ** 30)} GB`;
const msText = (ms: number) => durationInWords(Math.max(1, ms / 1_000));

async function databaseState({ database, env }: App): Promise<State> {
  const state = await database.state();
  if (state === "failing") return ["needs", "accepts no writes"];
  if (state === "gone") return ["needs", "its files were removed or replaced: restart Deed"];
  if (database.damage) return ["needs", `damaged: restore a backup (${database.damage})`];
  return ["proved", `accepts writes, takes ${sizeText(statOf(env.DATABASE_PATH)?.size ?? 0)}`];
}

function diskState({ env }: App): State {
  const free = freeBytes(env.DATABASE_PATH);
  if (free === null) return ["ended", "its file system does not report free space"];
  return [free < LOW_BYTES ? "needs" : "proved", `${sizeText(free)} free`];
}

function backupState({ env }: App): State {
  const at = newestBackupAt(`${env.DATA_DIR}/backups`);
  if (at === null) return ["ended", "none in Deed’s own folder, and it cannot see others"];
  const age = Date.now() - at;
  return [age > OLD_BACKUP_MS ? "needs" : "proved", `${msText(age)} old`];
}

function mailState({ env, mailHealth }: App): State {
  const health = mailHealth();
  if (health === "failing") return ["needs", "the mail server did not accept the last email"];
  if (!env.SMTP_URL) return ["needs", "emails go to the outbox, because SMTP_URL is not set"];
  return health === "ok"
    ? ["proved", "the mail server accepted the last email"]
    : ["ended", "no email since Deed started"];
}

const DNS_WORDS: Record<DnsState, State> = {
  ok: ["proved", "checks reached it in the last 15 minutes"],
  failing: ["needs", "none of the last checks reached it"],
  port_53_shut: [
    "needs",
    "port 53 is blocked, so only domains with DNSSEC can be proved: open it for outgoing UDP and TCP",
  ],
  unknown: ["ended", "no check in the last 15 minutes"],
};

function clockState({ timekeeper }: App): State {
  const waitingFor = timekeeper.reasonToWait();
  return waitingFor === null ? ["proved", "confirmed"] : ["needs", waitingFor];
}

function keyState({ db, signer }: App): State {
  const [current] = listKeys(db);
  const since = current?.kid === signer.kid ? `since ${dayText(current.from)}: ` : "";
  return current?.compromisedSince
    ? ["needs", `somebody else may have ${signer.kid}: make a new key`]
    : ["proved", since + signer.kid];
}

function queueState(app: App): State {
  const { reads, watchReads, mails } = readBacklog(app);
  const oldest = Math.max(reads.waited, watchReads.waited, mails.waited) * SECOND;
  const checks = reads.n + watchReads.n;
  const isIdle = checks + mails.n === 0;
  const counts = `${counted(checks, "check")}, ${counted(mails.n, "email")}`;
  const text = isIdle ? "nothing is due" : `due: ${counts}`;
  if (!app.isWorkerRunning()) return ["needs", `the worker has stopped; ${text}`];
  if (isIdle) return ["proved", text];
  return [oldest > SLOW_QUEUE_MS ? "needs" : "proved", `${text}, the oldest for ${msText(oldest)}`];
}

export async function partsOfInstallation(app: App): Promise<PartOfInstallation[]> {
  const part = (name: string, page: string, [tone, text]: State) => ({ name, tone, text, page });
  return [
    part("Version", "upgrade", [null, app.settings.version]),
    part("Database", "backup", await databaseState(app)),
    part("Disk", "sizing", diskState(app)),
    part("Last backup", "backup", backupState(app)),
    part("Email", "configuration", mailState(app)),
    part("DNS", "doctor", DNS_WORDS[readDnsState(app)]),
    part("Clock", "doctor", clockState(app)),
    part("Signing key", "signing-key", keyState(app)),
    part("Queue", "monitoring", queueState(app)),
  ];
}
