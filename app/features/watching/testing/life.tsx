import { foundAt } from "@deed/dns/testing/readings.ts";
import { eq } from "drizzle-orm";
import { expect } from "vitest";
import { htmlOf } from "#app/core/testing/html.tsx";
import { claimed, stay } from "#app/core/testing/service.ts";
import { iso } from "#app/core/time.ts";
import { watches } from "#db/schema.ts";
import { findByName } from "../../by-name/by-name.server.ts";
import { readClaim } from "../../claims/claims.server.ts";
import { domainPage, listDomains } from "../../domains/domains.server.ts";
import { DomainPage } from "../../domains/view/domain-page.tsx";
import { domainScreen } from "../../domains/view/domain-screen.server.ts";
import { DomainTable } from "../../domains/view/domain-table.tsx";
import { shownDomain } from "../../domains/view/open-states.server.ts";
import { handoffScreen } from "../../handoffs/handoff-screen.server.ts";
import { createHandoff } from "../../handoffs/handoffs.server.ts";
import { mayReturnTo } from "../../handoffs/return-site.server.ts";
import { EndedHandoff, OpenHandoff } from "../../handoffs/view/handoff-page.tsx";
import { sendDueMails } from "../../notices/notice-mails.server.ts";
import { listNotices, withNames } from "../../notices/notices.server.ts";
import { NoticeList } from "../../notices/view/notice-list.tsx";
import { proofScreen, publishProof } from "../../proofs/proofs.server.ts";
import { ProofDocument } from "../../proofs/view/proof.tsx";
import { live, type ObserveQuestion } from "../testing.ts";
import { watchAt, watchClaim } from "../watches.server.ts";

export const wordsIn = (html: string): string =>
  html
    .replace(/<[^>]+>/g, "")
    .replaceAll("&#x27;", "'")
    .replace(/\s+/g, " ")
    .trim();

/** A claim of acme.com with a hand-off page, and steps to change it. */
export async function life() {
  const mine = await claimed();
  const { service, ctx, account, claim } = mine;
  const { slug } = await createHandoff(ctx, account.id, claim.id);
  const prove = async () => {
    await mine.run(foundAt);
    await publishProof(ctx, account.id, claim.id);
    while (await sendDueMails(ctx, stay));
  };
  return {
    ...{ ...mine, prove },
    /** What programs see: the same in each answer. */
    async holds() {
      const own = await readClaim(ctx, account.id, claim.id);
      const { domains } = await listDomains(ctx, account.id, { name: "acme.com" });
      const named = await findByName(ctx, account.id, { name: "acme.com" }).catch(() => null);
      const back = mayReturnTo(ctx, account.id, new URL("https://acme.com/"));
      const said = [
        own.holds,
        ...domains.flatMap(({ reference, holds }) => (reference ? [] : [holds])),
        named?.holds ?? own.holds,
        back,
      ];
      expect(new Set(said).size, said.join()).toBe(1);
      return own.holds;
    },
    async watched(days = 2, see: ObserveQuestion = foundAt) {
      await prove();
      await watchClaim(ctx, account.id, claim.id);
      await live(service, days, see);
    },
    /** What each place says now: pages as HTML, and the newest mail if it is about the present state. */
    async screens(isMailed: boolean) {
      const now = iso(service.now);
      const page = await domainScreen(ctx, account.id, claim.domainId, {
        ...{ claim: claim.id, read: null, isLive: false },
      });
      const marks = { isMailed: true, isExisting: false, isWwwRemoved: false, handoffFold: null };
      const handoff = await handoffScreen(ctx, slug);
      const { notices } = listNotices(ctx, account.id, {});
      const { rows } = await domainPage(ctx, account.id, { name: "acme.com" });
      const domains = rows.map((one) => ({ ...shownDomain(ctx, one), checkedAt: null }));
      const row = ctx.db.select().from(watches).where(eq(watches.claimId, claim.id)).get();
      const link = page.screen?.live;
      const proof = link && proofScreen(ctx, link.slug);
      return {
        page,
        proof,
        // Without the timeline, whose events keep their dates.
        "domain page": htmlOf(<DomainPage {...page} {...marks} result={{}} />).replace(
          /<ol class="plain timeline[\s\S]*?<\/ol>/,
          "",
        ),
        "domain list": htmlOf(<DomainTable domains={domains} now={now} />),
        "hand-off page": htmlOf(
          handoff.type === "open" ? (
            <OpenHandoff screen={handoff} result={{}} />
          ) : (
            <EndedHandoff screen={handoff} />
          ),
        ),
        notices: htmlOf(<NoticeList notices={withNames(ctx, account.id, notices)} now={now} />),
        ...(isMailed && { mail: service.mails.at(-1)?.text ?? "" }),
        ...(proof && {
          "proof page": htmlOf(
            <ProofDocument
              screen={proof}
              report={null}
              check={{ script: null, labAnchors: null }}
            />,
          ),
        }),
        ...(row && { "link of mails": watchAt(ctx, row.slug)?.fate ?? "" }),
      };
    },
  };
}
export type Life = Awaited<ReturnType<typeof life>>;
