import { describe, expect, it } from "vitest";
import { dayText, durationText, fullText, localText, relativeText } from "./time.tsx";

const at = "2026-03-12T04:03:09.120Z";
const later = (seconds: number) => new Date(Date.parse(at) + seconds * 1000).toISOString();

describe("times in words", () => {
  it("writes an instant in UTC, whatever the machine's zone", () => {
    expect(fullText(at)).toBe("12 March 2026 at 04:03:09 UTC");
    expect(dayText(at)).toBe("12 March 2026");
  });

  it("writes a duration in its largest whole unit", () => {
    const seconds = [0, 1, 59, 60, 240, 3_599, 3_600, 7_200, 86_400, 604_800];
    expect(seconds.map(durationText).join(", ")).toBe(
      "1 second, 1 second, 59 seconds, 1 minute, 4 minutes, 1 hour, 1 hour, 2 hours, 1 day, 7 days",
    );
  });

  it("has the clock of the reader's zone, and the day of what is far off", () => {
    const soon = new Date(later(720));
    const [hour, minute] = [soon.getHours(), String(soon.getMinutes()).padStart(2, "0")];
    const clock = new RegExp(`^0?(${hour}|${hour % 12 || 12}):${minute}\\b`);
    expect(localText(later(720), at)).toMatch(clock);
    expect(localText(later(86_400), at)).toMatch(/^[A-Z][a-z]+day\b.* \d+:\d\d\b/);
  });

  it("tells before from after", () => {
    expect(relativeText(later(240), at)).toBe("in 4 minutes");
    expect(relativeText(later(-7_200), at)).toBe("2 hours ago");
    expect(relativeText(later(0.4), at)).toBe("now");
  });
});
