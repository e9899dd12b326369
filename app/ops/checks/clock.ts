import type { TimeSource } from "@deed/dns/resolve/https-time.ts";
import { durationInWords, joinList } from "@deed/dns/words/wording.ts";
import { about } from "./finding.ts";

/** Larger than any error of a clock kept by NTP. */
const NOTICED_MS = 60_000;
/** From this difference on, the service does not trust a step of the clock alone (app/core/clock). */
const UNUSABLE_MS = 3_600_000;

const difference = (ms: number) => {
  const seconds = Math.abs(ms) / 1_000;
  // Rounded to the nearest unit, because durationInWords rounds up.
  const unit = [86_400, 3_600, 60].find((each) => seconds >= 2 * each) ?? 1;
  const told = durationInWords(Math.round(seconds / unit) * unit);
  return `this machine's clock is ${told} ${ms > 0 ? "ahead of" : "behind"}`;
};

export async function examineClock(sources: TimeSource[], isTrusted: boolean, signal: AbortSignal) {
  const { ok, warning, broken } = about("Clock");
  const asked = sources.map(async ({ name, ask }) => {
    const date = await ask(signal);
    return date === null ? [] : [{ name, ms: Date.now() - date }];
  });
  const answered = (await Promise.all(asked)).flat();
  // At least half of the answers differ by no more than this.
  const middle = answered.toSorted((one, other) => Math.abs(one.ms) - Math.abs(other.ms))[
    (answered.length - 1) >> 1
  ];
  if (!middle)
    return isTrusted
      ? ok("no time source could be asked; the clock is trusted (CLOCK_TRUSTED=on)")
      : warning(
          "no time source could be asked, so a jump of the clock cannot be confirmed",
          "Let this machine reach a resolver of DNS_RESOLVERS over HTTPS. If it can reach none, keep the clock right with NTP and set CLOCK_TRUSTED=on.",
        );
  const sound = answered.filter(({ ms }) => Math.abs(ms) <= NOTICED_MS);
  const differing = answered.filter((each) => !sound.includes(each));
  const names = (all: readonly { name: string }[]) => joinList(all.map(({ name }) => name));
  if (Math.abs(middle.ms) > NOTICED_MS) {
    const isUnusable = Math.abs(middle.ms) > UNUSABLE_MS && !isTrusted;
    return (isUnusable ? broken : warning)(
      `${difference(middle.ms)} ${names(differing)}`,
      "Set the clock and keep it right with NTP (`timedatectl set-ntp true`): proofs carry its date.",
    );
  }
  const alone = differing.flatMap(({ name, ms }) =>
    warning(
      `${difference(ms)} ${name}, but the other sources agree with this machine`,
      "That source's clock is wrong, or something on the path answers for it: name another resolver in DNS_RESOLVERS if this does not change.",
    ),
  );
  return [...ok(`agrees with ${names(sound)}`), ...alone];
}
