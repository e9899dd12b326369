import { durationInWords, joinList } from "#app/dns/copy/wording.ts";
import type { TimeInterval, TimeSource } from "#app/dns/resolve/time-source.ts";
import { about, type Probe } from "./finding.ts";

/** What a clock kept by NTP never is off by. */
const NOTICED_MS = 60_000;
/** From here on the service does not trust a step of the clock by itself (app/services/clock). */
const UNUSABLE_MS = 3_600_000;

/** Milliseconds by which `now` is outside an interval; positive if it is ahead. */
function offBy(now: number, { from, to }: TimeInterval): number {
  if (now < from) return now - from;
  return now > to ? now - to : 0;
}

const median = (sorted: readonly number[]): number => sorted[sorted.length >> 1] ?? 0;

/** By how much the clock differs from a source: the median over its servers; null if none answered. */
async function askOne({ name, ask }: TimeSource, now: () => number, signal: AbortSignal) {
  const answers = await ask(signal);
  const answeredAt = now();
  const offsets = answers
    .flatMap((interval) => (interval ? [offBy(answeredAt, interval)] : []))
    .sort((one, other) => one - other);
  return { name, ms: offsets.length > 0 ? median(offsets) : null };
}

const difference = (ms: number) =>
  `${durationInWords(Math.abs(ms) / 1_000)} ${ms > 0 ? "ahead of" : "behind"}`;

/** Whether this machine's clock agrees with those of others. `now`: epoch milliseconds. */
export const examineClock =
  (sources: readonly TimeSource[], isTrusted: boolean, now: () => number): Probe =>
  async (signal) => {
    const { ok, warning, broken } = about("Clock");
    const asked = await Promise.all(sources.map((source) => askOne(source, now, signal)));
    const answered = asked.flatMap(({ name, ms }) => (ms === null ? [] : [{ name, ms }]));
    if (answered.length === 0) {
      return isTrusted
        ? [ok("nobody could be asked; it is trusted (CLOCK_TRUSTED=on)")]
        : [
            warning(
              "nobody could be asked for the time, so a step of the clock cannot be confirmed",
              "Let this machine reach a resolver of DNS_RESOLVERS over HTTPS, or the root servers over TCP. Where it can reach neither, keep the clock by NTP and set CLOCK_TRUSTED=on.",
            ),
          ];
    }
    const differing = answered.filter(({ ms }) => Math.abs(ms) > NOTICED_MS);
    const sound = answered.filter((one) => !differing.includes(one));
    const names = (all: readonly { name: string }[]) => joinList(all.map(({ name }) => name));
    if (differing.length * 2 > answered.length) {
      const ms = median(differing.map((one) => one.ms).sort((one, other) => one - other));
      const isUnusable = Math.abs(ms) > UNUSABLE_MS && !isTrusted;
      return [
        (isUnusable ? broken : warning)(
          `this machine's clock is ${difference(ms)} ${names(differing)}`,
          "Set the clock and keep it by NTP (`timedatectl set-ntp true`): proofs carry its date.",
        ),
      ];
    }
    return [
      ok(`agrees with ${names(sound)}`),
      ...differing.map(({ name, ms }) =>
        warning(
          `this machine's clock is ${difference(ms)} ${name}, alone among those asked`,
          "That source's clock is wrong, or something on the path answers for it: name another in DNS_RESOLVERS if it stays so.",
        ),
      ),
    ];
  };
