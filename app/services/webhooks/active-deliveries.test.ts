import { expect, it } from "vitest";
import { ActiveDeliveries } from "./active-deliveries.ts";

const ACCOUNTS = 50;

/** A delivery to each of the webhooks, which takes it or not. */
async function delivered(active: ActiveDeliveries, ids: string[], wasTaken: boolean) {
  for (const [index, webhookId] of ids.entries()) {
    const who = { accountId: `acc_${index % ACCOUNTS}`, webhookId, lane: "one" };
    expect(
      active.start(
        who,
        async () => wasTaken,
        () => {},
      ),
    ).toBe(true);
    if (index % ACCOUNTS === ACCOUNTS - 1) await active.drain(1_000);
  }
  await active.drain(1_000);
}

it("one that takes its deliveries gets four at a time, one that does not rests", async () => {
  const active = new ActiveDeliveries();
  expect(active.of("new")).toEqual({ underWay: 0, most: 1 });
  await delivered(active, ["good"], true);
  await delivered(active, ["bad"], false);
  expect(active.of("good").most).toBe(4);
  expect(active.of("bad").most).toBe(0);
  active.forgive("bad");
  expect(active.of("bad").most).toBe(1);
});

it("webhooks that come and go without end are not all remembered", async () => {
  const active = new ActiveDeliveries();
  const many = Array.from({ length: 10_000 }, (_, index) => `whk_${index}`);
  await delivered(active, ["first", ...many], true);
  expect(active.of("first").most).toBe(1);
  expect(active.of(many.at(-1) ?? "").most).toBe(4);
});
