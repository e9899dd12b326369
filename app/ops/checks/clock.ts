import type { TimeSource } from "@deed/dns/resolve/https-time.ts";
import { durationInWords, joinList } from "@deed/dns/words/wording.ts";
import { about } from "./finding.ts";

/** A difference larger than any error of a clock kept by NTP. */
const WARNING_MS = 60_000;
/** From this difference on, the service does not trust a step of the clock alone (app/core/clock). */
const BROKEN_MS = 3_600_000;

const differenceText = (ms: number) => {
  const seconds = Math.abs(ms) / 1_000;
  // The duration is rounded to the nearest unit, because durationInWords rounds up.
  const unit = [86_400, 3_600, 60].find((unitSize) => seconds >= 2 * unitSize) ?? 1;
  const duration = durationInWords(Math.round(seconds / unit) * unit);
  return `this machine's clock is ${duration} ${ms > 0 ? "ahead of" : "behind"}`;
};

export async function examineClock(sources: TimeSource[], isTrusted: boolean, signal: AbortSignal) {
  const { ok, warning, broken } = about("Clock");
  const queries = sources.map(async ({ name, ask }) => {
    const date = await ask(signal);
    return date === null ? [] : [{ name, ms: Date.now() - date }];
  });
  const answers = (await Promise.all(queries)).flat();
  // At least half of the answers differ by no more than this.
  const medianAnswer = answers.toSorted((one, other) => Math.abs(one.ms) - Math.abs(other.ms))[
    (answers.length - 1) >> 1
  ];
  if (!medianAnswer)
    return isTrusted
      ? ok("no time source could be asked; the clock is trusted (CLOCK_TRUSTED=on)")
      : warning(
          "no time source could be asked, so a jump of the clock cannot be confirmed",
          "Let this machine reach a resolver of DNS_RESOLVERS over HTTPS. If it can reach none, keep the clock right with NTP and set CLOCK_TRUSTED=on.",
        );
  const agreeing = answers.filter(({ ms }) => Math.abs(ms) <= WARNING_MS);
  const differing = answers.filter((answer) => !agreeing.includes(answer));
  const names = (all: readonly { name: string }[]) => joinList(all.map(({ name }) => name));
  if (Math.abs(medianAnswer.ms) > WARNING_MS) {
    const isUnusable = Math.abs(medianAnswer.ms) > BROKEN_MS && !isTrusted;
    return (isUnusable ? broken : warning)(
      `${differenceText(medianAnswer.ms)} ${names(differing)}`,
      "Set the clock and keep it right with NTP (`timedatectl set-ntp true`): proofs carry its date.",
    );
  }
  const warnings = differing.flatMap(({ name, ms }) =>
    warning(
      `${differenceText(ms)} ${name}, but the other sources agree with this machine`,
      "That source's clock is wrong, or something on the path answers for it: name another resolver in DNS_RESOLVERS if this does not change.",
    ),
  );
  return [...ok(`agrees with ${names(agreeing)}`), ...warnings];
}
