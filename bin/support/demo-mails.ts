import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const EVERY_MS = 300;

function tell(text: string): void {
  const subject = /^Subject: (.*)$/m.exec(text)?.[1] ?? "";
  const to = /^To: (.*)$/m.exec(text)?.[1] ?? "";
  console.log(`\nMail to ${to}: ${subject}`);
  const link = /https?:\/\/\S+\/sign-in\/confirm\?token=[\w-]+/.exec(text)?.[0];
  const code = /^\s*(\d{6})\s*$/m.exec(text)?.[1];
  if (link) console.log(`  Link  ${link}`);
  if (code) console.log(`  Code  ${code}`);
}

/** Prints each mail as it arrives in the outbox. `failed` rejects if the outbox cannot be read. */
export function tellMails(outbox: string): { failed: Promise<never>; stop(): void } {
  const told = new Set<string>();
  const stopping = new AbortController();
  const watch = async (): Promise<never> => {
    for (;;) {
      for (const name of (await readdir(outbox).catch(() => [])).sort()) {
        if (told.has(name) || !name.endsWith(".eml")) continue;
        told.add(name);
        tell(await readFile(join(outbox, name), "utf8"));
      }
      await sleep(EVERY_MS, undefined, { signal: stopping.signal });
    }
  };
  const failed = watch();
  // The end of the demo is no failure.
  failed.catch(() => {});
  return { failed, stop: () => stopping.abort() };
}
