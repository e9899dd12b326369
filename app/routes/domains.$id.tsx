import type { Responses, TypedEndpoint } from "#app/api/endpoint.server.ts";
import { accountAction, accountLoader, type RouteArgs } from "#app/api/page.server.ts";
import { maskEmail, readAccount } from "#app/core/accounts/accounts.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { claimPath } from "#app/core/names/prove-path.ts";
import { proveDomain } from "#app/features/by-name/api.server.ts";
import type { ClaimActionResult, TypedHandoff } from "#app/features/claim-page/action-result.ts";
import { useWaiting } from "#app/features/claim-page/use-waiting.ts";
import { claimEndpoints } from "#app/features/claims/api.server.ts";
import { readClaim } from "#app/features/claims/claims.server.ts";
import { chargeRuns, verificationEndpoints } from "#app/features/claims/verifications.server.ts";
import { domainEndpoints } from "#app/features/domains/api.server.ts";
import { readDomain } from "#app/features/domains/domains.server.ts";
import { ensureClaim } from "#app/features/domains/form-actions.server.ts";
import { WWW_REMOVED } from "#app/features/domains/several-lines.ts";
import { DomainPage } from "#app/features/domains/view/domain-page.tsx";
import { claimOnPage, domainScreen } from "#app/features/domains/view/domain-screen.server.ts";
import { handoffEndpoints } from "#app/features/handoffs/api.server.ts";
import { mailHandoff } from "#app/features/handoffs/handoff-mails.server.ts";
import { handoffOfClaim } from "#app/features/handoffs/handoffs.server.ts";
import { HandoffFold } from "#app/features/handoffs/view/handoff-form.tsx";
import { markNoticeRead } from "#app/features/notices/notices.server.ts";
import { proofEndpoints } from "#app/features/proofs/api.server.ts";
import { qrOf } from "#app/features/proofs/view/qr-code.ts";
import { watchEndpoints } from "#app/features/watching/api.server.ts";
import { readWatchNow } from "#app/features/watching/watches.server.ts";
import { redirectToSelf } from "#app/http/body.server.ts";
import { tooSoonOf } from "#app/http/page-errors.server.ts";
import { useLoaderData } from "#app/remix/react.ts";
import { SOON_MS, useLastAnswer, useTimedRevalidation } from "#app/ui/background-revalidation.ts";
import { type PageHandle, type PageHead, titled } from "#app/ui/page.tsx";

export const handle: PageHandle = { live: true };

export const loader = (args: RouteArgs) =>
  accountLoader(args, async ({ app, id, query, session: { accountId, personId, email } }) => {
    const isLive = query.has("live");
    const notice = query.get("notice");
    if (notice) await markNoticeRead(app, accountId, notice).catch(() => {});
    const options = { claim: query.get("claim"), read: query.get("read"), isLive };
    const page = await domainScreen(app, accountId, id, options);
    const { screen, label } = page;
    const head: PageHead = {
      icon: label.tone,
      ...(screen && { follows: screen.claim.id }),
      ...(screen?.reloads && { refreshSeconds: screen.reloads }),
    };
    const marks = { isExisting: query.has("known"), isWwwRemoved: query.has(WWW_REMOVED) };
    const isMailed = readAccount(app, personId)?.person.mailEnabled ?? false;
    const shared = screen && handoffOfClaim(app, screen.claim);
    const qr = shared && qrOf(shared.url);
    // A link of somebody else may put any text here.
    const [mailed = null] = /^.•••@[\p{L}\p{N}.-]+$/u.exec(query.get("mailed") ?? "") ?? [];
    const handoff = { shared, qr, you: email, mailed };
    return { ...page, ...marks, handoff, head, isMailed };
  });

const typedHandoff = (form: URLSearchParams): TypedHandoff => ({
  title: form.get("title")?.trim() ?? "",
  requestedFor: form.get("requestedFor")?.trim() ?? "",
  returnUrl: form.get("returnUrl")?.trim() ?? "",
  email: form.get("email")?.trim() ?? "",
});

/** A function, so that the browser's bundle contains no endpoints. */
const endpointFor = (intent: string | null) =>
  new Map<string | null, TypedEndpoint<Responses>>([
    ["cancel", claimEndpoints.cancelClaim],
    ["hand-over", handoffEndpoints.createHandoffLink],
    ["take-back", handoffEndpoints.revokeHandoffLink],
    ["watch", watchEndpoints.startWatch],
    ["unwatch", watchEndpoints.stopWatch],
    ["publish", proofEndpoints.createProofLink],
  ]).get(intent);

export const action = (args: RouteArgs) =>
  accountAction(
    args,
    async ({ app, id, query, form, call, session }) => {
      const { accountId } = session;
      const intent = form.get("intent");
      const queryId = query.get("claim");
      const endpoint = endpointFor(intent);
      if (intent === "claim") {
        const current = await claimOnPage(app, accountId, id, null);
        if (current.claimId === form.get("claim"))
          await ensureClaim(app, args.request, accountId, id);
        return redirectToSelf(`/domains/${id}`);
      }
      if (intent === "keep" || intent === "let-go") {
        const { name, reference } = readDomain(app, accountId, id);
        const body = { ...(reference && { reference }), keepWww: true, watch: intent === "keep" };
        await call(proveDomain, { params: { name }, body });
      } else if (intent === "unarchive") await call(domainEndpoints.unarchiveDomain);
      else if (endpoint || intent === "check" || intent === "mail") {
        // The claim that the form was for; it may have ended since.
        const { claimId } = await claimOnPage(app, accountId, id, form.get("claim") ?? queryId);
        const typed = Object.entries(typedHandoff(form)).filter(([, text]) => text !== "");
        if (intent === "mail") {
          const { email } = typedHandoff(form);
          await mailHandoff(app, args.request, session, claimId ?? "", email);
          // Masked, because the log has the addresses of pages.
          return redirectToSelf(`/domains/${id}?mailed=${encodeURIComponent(maskEmail(email))}`);
        }
        if (!endpoint) {
          const { verificationId, watch } = await readClaim(app, accountId, claimId ?? "");
          if (watch)
            await readWatchNow(app, [accountId, watch.claimId], (rows) => chargeRuns(app, rows));
          else
            await call(verificationEndpoints.runVerification, { params: { id: verificationId } });
        } else if (intent === "hand-over") {
          const body = { showAddress: !form.has("hideAddress"), ...Object.fromEntries(typed) };
          await call(endpoint, { params: { id: claimId ?? "" }, body });
        } else await call(endpoint, { params: { id: claimId ?? "" } });
      } else throw new DeedError("invalid_request");
      return redirectToSelf(queryId === null ? `/domains/${id}` : claimPath(id, queryId));
    },
    (refusal, form): ClaimActionResult => {
      const intent = form?.get("intent");
      const tooSoon = intent === "check" ? tooSoonOf(refusal) : null;
      const isShare = intent === "hand-over" || intent === "mail";
      const shared = form && isShare ? typedHandoff(form) : null;
      return tooSoon ? { tooSoon } : { problem: refusal.problem, shared };
    },
  );

export const meta = titled<typeof loader>(
  ({ label, domain }) => `${label.word} · ${domain.unicodeName}`,
);

export default function DomainRoute() {
  const { handoff, ...page } = useLoaderData<typeof loader>();
  const { screen } = page;
  useWaiting(screen?.open ? `/api/claims/${screen.claim.id}/waiting` : null);
  useTimedRevalidation(screen?.open && screen.isAskingRegistry ? SOON_MS : null);
  const result = useLastAnswer<typeof action>() ?? {};
  const handoffFold = screen && <HandoffFold handoff={handoff} screen={screen} result={result} />;
  const handedOffAt = handoff.shared?.createdAt;
  return (
    <DomainPage {...page} result={result} handoffFold={handoffFold} handedOffAt={handedOffAt} />
  );
}
