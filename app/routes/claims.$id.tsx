import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { Link, useActionData, useLoaderData, useSearchParams } from "@remix-run/react";
import { cancel } from "#app/api/claims.server.ts";
import { perform } from "#app/api/dispatch.server.ts";
import { createProofLink, revokeLink } from "#app/api/proofs.server.ts";
import { run } from "#app/api/verifications.server.ts";
import { requireSession } from "#app/auth/session.server.ts";
import { Act } from "#app/components/button.tsx";
import { ClaimNow } from "#app/components/claim-now.tsx";
import { ClaimScope } from "#app/components/claim-scope.tsx";
import { Evidence } from "#app/components/evidence.tsx";
import type { PageHead } from "#app/components/handle.ts";
import { DomainName } from "#app/components/name.tsx";
import { Problem } from "#app/components/notice.tsx";
import { Entry, Page } from "#app/components/page.tsx";
import { ProofLinks } from "#app/components/proof-links.tsx";
import { ReadList, ReadStrip } from "#app/components/read-strip.tsx";
import { RecordByHand, RecordCard } from "#app/components/record-card.tsx";
import { claimStanding, StateWord } from "#app/components/state.tsx";
import { Countdown, Moment } from "#app/components/time.tsx";
import { getApp } from "#app/http/app.server.ts";
import { formOf } from "#app/http/body.server.ts";
import { problemOf, throwPage } from "#app/http/page-errors.server.ts";
import { type ClaimScreen, claimScreen } from "#app/services/claim-screen.server.ts";
import { DeedError } from "#app/services/errors.server.ts";

/** Bounds of the refresh without script, in seconds. */
const SOONEST = 15;
const LATEST = 300;

const refreshAfter = ({ verification, now }: ClaimScreen): number => {
  const next = Date.parse(verification.nextRunAt ?? now) - Date.parse(now);
  return Math.min(LATEST, Math.max(SOONEST, Math.ceil(next / 1000) + 5));
};

export async function loader({ request, params }: LoaderFunctionArgs) {
  const { accountId } = await requireSession(request);
  const query = new URL(request.url).searchParams;
  const screen = await claimScreen(getApp(), accountId, params.id ?? "", query.get("read")).catch(
    throwPage,
  );
  const { claim, verification } = screen;
  const standing = claimStanding(claim.state, verification.status);
  const still = claim.state !== "pending" || query.has("still") || query.has("read");
  const head: PageHead = {
    icon: standing.tone,
    ...(still ? {} : { refreshSeconds: refreshAfter(screen) }),
  };
  return json({ screen, standing, head });
}

export async function action({ request, params }: ActionFunctionArgs) {
  const { accountId } = await requireSession(request);
  const id = params.id ?? "";
  try {
    const form = await formOf(request);
    switch (form.get("intent")) {
      case "check": {
        const { claim } = await claimScreen(getApp(), accountId, id, null);
        await perform(run, request, { params: { id: claim.verificationId } });
        break;
      }
      case "cancel":
        await perform(cancel, request, { params: { id } });
        break;
      case "publish":
        await perform(createProofLink, request, { params: { id } });
        break;
      case "revoke":
        await perform(revokeLink, request, { params: { id, slug: form.get("slug") ?? "" } });
        break;
      default:
        throw new DeedError("invalid_request");
    }
    return redirect(`/claims/${id}`, 303);
  } catch (thrown) {
    const { problem, status } = problemOf(thrown);
    return json({ problem }, { status });
  }
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data ? `${data.standing.word} · ${data.screen.claim.domain} · Deed` : "Deed" },
];

export default function ClaimPage() {
  const { screen, standing } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  const [query] = useSearchParams();
  const { claim, verification, now, reads, shown } = screen;
  const open = claim.state === "pending";
  return (
    <Page
      above={
        <>
          <span role="status">
            <StateWord {...standing} />
          </span>
          <span>
            claimed <Moment at={claim.createdAt} form="day" />
            {open ? (
              <>
                , open until <Moment at={claim.expiresAt} form="day" />
              </>
            ) : null}
          </span>
        </>
      }
      title={
        <Link to={`/domains/${claim.domainId}`} className="bare">
          <DomainName ascii={claim.domain} unicode={claim.unicodeDomain} />
        </Link>
      }
    >
      <Entry title="Now">
        <ClaimNow screen={screen} />
        <Problem message={problem?.message} />
        {open ? <CheckNow verification={verification} now={now} /> : null}
      </Entry>
      {open ? (
        <Entry title="The record">
          <RecordCard words={screen.words} />
          <RecordByHand hands={screen.hands} />
        </Entry>
      ) : null}
      {claim.state === "proved" ? (
        <Entry title="Share it" id="share">
          <ProofLinks links={screen.links} archived={screen.archived} />
        </Entry>
      ) : null}
      <Entry title="Reads" id="reads">
        <ReadStrip
          reads={reads}
          from={claim.createdAt}
          until={claim.expiresAt}
          next={verification.nextRunAt}
        />
        <details open={query.has("read")}>
          <summary>
            {reads.length} {reads.length === 1 ? "read" : "reads"} so far, as a list
          </summary>
          <ReadList reads={reads} shown={shown?.id ?? null} />
        </details>
        {shown ? <Evidence shown={shown} open={query.has("read")} /> : null}
      </Entry>
      <Entry title="Scope">
        <ClaimScope claim={claim} isPublicSuffix={screen.isPublicSuffix} />
      </Entry>
      {open ? <CancelEntry /> : null}
    </Page>
  );
}

function CheckNow({ verification, now }: Pick<ClaimScreen, "verification" | "now">) {
  return (
    <div className="row">
      <Act intent="check" kind="primary" busy="Reading DNS…">
        Check now
      </Act>
      {verification.nextRunAt ? (
        <p className="soft">
          It also checks by itself <Countdown until={verification.nextRunAt} served={now} />.
        </p>
      ) : null}
      <noscript>
        <p className="soft">
          This page reads itself again from time to time. <a href="?still">Stop that.</a>
        </p>
      </noscript>
    </div>
  );
}

function CancelEntry() {
  return (
    <Entry title="End it">
      <details>
        <summary>Cancel this claim</summary>
        <div className="stack">
          <p>
            The token stops being accepted and nothing is read any more. The claim stays in the
            history of the domain. Claiming the name again issues another token.
          </p>
          <Act intent="cancel" kind="danger" busy="Canceling…">
            Cancel the claim
          </Act>
        </div>
      </details>
    </Entry>
  );
}
