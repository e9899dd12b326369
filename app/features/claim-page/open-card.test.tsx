import { absentAt, partialAt, unreachableAt } from "@deed/dns/testing/readings.ts";
import { expect, test } from "vitest";
import { htmlOf } from "#app/core/testing/html.tsx";
import { claimed } from "#app/core/testing/service.ts";
import { MINUTE } from "#app/core/time.ts";
import { DnsText } from "#app/ui/name.tsx";
import { claimScreen } from "./claim-screen.server.ts";
import { OpenCard, OpenPath, waitEnd } from "./open-card.tsx";

async function opened() {
  const mine = await claimed();
  return {
    ...mine,
    /** The words of the card and directly below it; `[` and `]` stand where a fold begins and ends. */
    async words() {
      const view = await claimScreen(mine.ctx, mine.account.id, mine.claim.id, {});
      const html = htmlOf(
        <>
          <OpenCard view={view} result={{}} handoffFold={null} />
          <OpenPath view={view} />
        </>,
      );
      const marked = html.replace(/<details[^>]*>/g, "[").replaceAll("</details>", "]");
      return marked.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
    },
  };
}

test("a record that was seen is waited for: one end, then the map, and the record folded", async () => {
  const { service, run, words } = await opened();
  await run(partialAt);
  service.now += MINUTE;
  const shown = await words();
  expect(shown).toMatch(
    /Should be done at the latest in \d+ minutes Checked 1 minute ago \. Next check [^.]+\. Where the record is .*Check now .*\[ The record /,
  );
  expect(shown).not.toMatch(/began|UTC/);
});

test("a record that nobody has seen is asked for, and the map waits folded", async () => {
  const { service, run, words } = await opened();
  await run(absentAt);
  service.now += MINUTE;
  expect(await words()).toMatch(
    /Add this .* Type .* Checked 1 minute ago \. Next check [^.]+\. Check now .*\[ Where the record is/,
  );
  await run(unreachableAt);
  expect(await words()).toContain(": DNS could not be reached.");
});

test("a wait is not over before the next check, except that for the second read, whose moment is secret", async () => {
  const { ctx, account, claim } = await claimed();
  const view = await claimScreen(ctx, account.id, claim.id, {});
  const [now, nextRunAt] = ["2026-03-01T00:00:00.000Z", "2026-03-01T00:00:44.000Z"];
  const waitEstimate = { reason: "negative_cache", secondsRemaining: 43 } as const;
  const endOf = (open: "waiting_for_dns" | "confirming") =>
    waitEnd({
      ...view,
      open,
      now,
      verification: { ...view.verification, nextRunAt, waitEstimate },
    });
  expect(endOf("waiting_for_dns")).toBe(nextRunAt);
  expect(endOf("confirming")).toBe("2026-03-01T00:00:43.000Z");
});

test("a name in a sentence is drawn as one", () => {
  const html = htmlOf(<DnsText text="It is at x.acme.com." />);
  expect(html).toBe("It is at <code><bdi>x.acme.com</bdi></code>.");
});
