import { expect, test } from "vitest";
import { htmlOf } from "#app/core/testing/html.tsx";
import { proved } from "#app/core/testing/service.ts";
import { live, movedAt } from "../watching/testing.ts";
import { unwatchClaim, watchClaim } from "../watching/watches.server.ts";
import { claimScreen } from "./claim-screen.server.ts";
import { EndedCard } from "./ended-card.tsx";

test("whoever did not move a domain is told what to do, also with no link to revoke and no watch", async () => {
  const { service, ctx, account, claim } = await proved();
  await watchClaim(ctx, account.id, claim.id);
  await live(service, 2, movedAt);
  await unwatchClaim(ctx, account.id, claim.id);
  const screen = await claimScreen(ctx, account.id, claim.id, {});
  expect([screen.live, screen.recordUse.watch]).toEqual([null, null]);
  const html = htmlOf(<EndedCard screen={screen} result={{}} isCurrent />);
  expect(html).toContain("If you did not move it");
});
