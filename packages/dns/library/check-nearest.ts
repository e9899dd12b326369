import { escapeUntrusted } from "../verdict/escape-untrusted.ts";
import { corruptionOf } from "../verdict/near-misses.ts";
import { difference, type Run } from "../words/difference.ts";
import { MAX_VALUE } from "./check-question.ts";

/** "altered": the value itself, damaged. "other_code": another one of the same form, which may be somebody's. */
export type Nearest = { value: string; how: "altered" | "other_code"; diff: Run[] };

/** What a vendor's codes have in front of what differs, such as `google-site-verification=`. */
const FORM = /^(?=.{4})[a-z][\w .-]*?[=:]/i;

/** The value at the name that comes nearest to one that is wanted; null if none is like it. */
export function nearestOf(found: readonly string[], wanted: readonly string[]): Nearest | null {
  const near = (how: Nearest["how"], isNear: (one: string, other: string) => boolean) => {
    for (const value of found)
      for (const other of wanted)
        if (isNear(value, other)) {
          const [shown, expected] = [value, other].map((one) => escapeUntrusted(one, MAX_VALUE));
          return { value: shown ?? "", how, diff: difference(shown ?? "", expected ?? "") };
        }
    return null;
  };
  return (
    near("altered", (value, other) => corruptionOf(value, other) !== null) ??
    near("other_code", (value, other) => {
      const form = FORM.exec(other)?.[0].toLowerCase();
      return form !== undefined && value.toLowerCase().startsWith(form);
    })
  );
}
