import { foundAt } from "@deed/dns/testing/readings.ts";
import { eq } from "drizzle-orm";
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { expect, vi } from "vitest";
import { commit } from "#app/core/commit.server.ts";
import { createNotice } from "#app/core/feed/feed.server.ts";
import { claimed } from "#app/core/testing/service.ts";
import { DAY, iso } from "#app/core/time.ts";
import { watches } from "#db/schema.ts";
import { findByName } from "../../by-name/by-name.server.ts";
import { readClaim } from "../../claims/claims.server.ts";
import { listDomains } from "../../domains/domains.server.ts";
import { DomainPage } from "../../domains/view/domain-page.tsx";
import { domainScreen } from "../../domains/view/domain-screen.server.ts";
import { DomainTable } from "../../domains/view/domain-table.tsx";
import { openStates } from "../../domains/view/open-states.server.ts";
import { handoffScreen } from "../../handoffs/handoff-screen.server.ts";
import { createHandoff } from "../../handoffs/handoffs.server.ts";
import { EndedHandoff, OpenHandoff } from "../../handoffs/view/handoff-page.tsx";
import { mayLeadTo } from "../../handoffs/way-back.server.ts";
import { sendDueMails } from "../../notices/notice-mails.server.ts";
import { listNotices, withNames } from "../../notices/notices.server.ts";
import { NoticeList } from "../../notices/view/notice-list.tsx";
import { proofScreen, publishProof } from "../../proofs/proofs.server.ts";
import { ProofDocument } from "../../proofs/view/proof.tsx";
import { live, type See } from "../testing.ts";
import { settleLoss } from "../watch-rows.server.ts";
import { stoppedBy, watchClaim } from "../watches.server.ts";

export function htmlOf(element: ReactElement): string {
  // It warns of layout effects, which routers have in browsers.
  vi.spyOn(console, "error").mockImplementation(() => {});
  const router = createMemoryRouter([{ path: "*", element }], { initialEntries: ["/"] });
  const html = renderToStaticMarkup(<RouterProvider router={router} />);
  vi.restoreAllMocks();
  return html.replace(/<(script|style)[\s\S]*?<\/\1>/g, "");
}

export const wordsIn = (html: string): string =>
  html
    .replace(/<[^>]+>/g, "")
    .replaceAll("&#x27;", "'")
    .replace(/\s+/g, " ")
    .trim();

/** A claim of acme.com with a hand-off page, and what happens to it. */
export async function life() {
  const mine = await claimed();
  const { service, ctx, account, claim } = mine;
  const { slug } = await createHandoff(ctx, account.id, claim.id);
  const { signal } = new AbortController();
  const prove = async () => {
    service.see = foundAt;
    await mine.run();
    await publishProof(ctx, account.id, claim.id);
    while (await sendDueMails(ctx, signal));
  };
  const after = (days: number, see: See) => live(service, days, see);
  return {
    ...{ ...mine, prove, after },
    /** Whether the newest mail is of the state that it is in. */
    isMailed: false,
    /** What programs are told: by each answer the same. */
    async holds() {
      const own = await readClaim(ctx, account.id, claim.id);
      const { domains } = await listDomains(ctx, account.id, { name: "acme.com" });
      const named = await findByName(ctx, account.id, { name: "acme.com" }).catch(() => null);
      const back = mayLeadTo(ctx, account.id, new URL("https://acme.com/"));
      const said = [
        own.holds,
        ...domains.flatMap(({ reference, holds }) => (reference ? [] : [holds])),
        named?.holds ?? own.holds,
        back,
      ];
      expect(new Set(said).size, said.join()).toBe(1);
      return own.holds;
    },
    async watched(days = 2, see: See = foundAt) {
      await prove();
      await watchClaim(ctx, account.id, claim.id);
      await after(days, see);
    },
    /** What each place says now: screens as HTML. */
    async screens() {
      const now = iso(service.now);
      const page = await domainScreen(ctx, account.id, claim.domainId, {
        ...{ claim: claim.id, read: null, isLive: false },
      });
      const marks = { isMailed: true, isExisting: false, isWwwRemoved: false, sharing: null };
      const handoff = await handoffScreen(ctx, slug);
      const { notices } = listNotices(ctx, account.id, {});
      const { domains } = await listDomains(ctx, account.id, { name: "acme.com" });
      const row = ctx.db.select().from(watches).where(eq(watches.claimId, claim.id)).get();
      const link = page.screen?.live;
      const proof = link && proofScreen(ctx, link.slug);
      return {
        page,
        proof,
        // Its history is of events, each with its date.
        "domain page": htmlOf(<DomainPage {...page} {...marks} result={{}} />).replace(
          /<ol class="plain timeline[\s\S]*?<\/ol>/,
          "",
        ),
        "domain list": htmlOf(
          <DomainTable domains={domains} states={openStates(ctx, domains)} checks={{}} now={now} />,
        ),
        "hand-off page": htmlOf(
          handoff.type === "open" ? (
            <OpenHandoff screen={handoff} result={{}} />
          ) : (
            <EndedHandoff screen={handoff} />
          ),
        ),
        notices: htmlOf(<NoticeList notices={withNames(ctx, account.id, notices)} now={now} />),
        ...(this.isMailed && { mail: service.mails.at(-1)?.text ?? "" }),
        ...(proof && { "proof page": htmlOf(<ProofDocument screen={proof} />) }),
        ...(row && { "link of mails": stoppedBy(ctx, row.slug)?.fate ?? "" }),
      };
    },
    async places(): Promise<Record<string, string>> {
      const { page: _, proof: __, ...screens } = await this.screens();
      return Object.fromEntries(
        Object.entries(screens).map(([place, html]) => [place, wordsIn(html)]),
      );
    },
  };
}
export type Life = Awaited<ReturnType<typeof life>>;

export const registeredAgain = async ({ ctx, claim, service, account }: Life) => {
  await commit(ctx, (tx) => {
    const registeredAt = service.now - DAY;
    const said = { registry: "registered_again", registeredAt, registryAt: service.now } as const;
    tx.update(watches).set(said).where(eq(watches.claimId, claim.id)).run();
    settleLoss(tx, claim.domainId, service.now, []);
    const subject = { id: claim.id, domainId: claim.domainId, accountId: account.id };
    createNotice(tx, "registered_again", subject, service.now);
  });
  while (await sendDueMails(ctx, new AbortController().signal));
};
