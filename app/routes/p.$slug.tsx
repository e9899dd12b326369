import type { Report } from "@deed/receipt/report.ts";
import { chargeVisitor, publicAction, publicLoader, type RouteArgs } from "#app/api/page.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { isoOrNull } from "#app/core/time.ts";
import { linkBySlug, proofScreen } from "#app/features/proofs/proofs.server.ts";
import { checkProof, doubtOf } from "#app/features/proofs/receipts.server.ts";
import { ProofDocument } from "#app/features/proofs/view/proof.tsx";
import { proofState } from "#app/features/proofs/view/proof-head.tsx";
import { labAnchors, pageScript } from "#app/features/receipts/view/verify-page.server.ts";
import { json, type MetaFunction } from "#app/remix/node.server.ts";
import { useActionData, useLoaderData } from "#app/remix/react.ts";
import { capitalised, Page, type PageHandle, type PageHead } from "#app/ui/page.tsx";
import { dayText, fullText } from "#app/ui/time.tsx";

export const handle: PageHandle = { document: true, scriptFile: true };

export const loader = (args: RouteArgs) =>
  publicLoader(args, async ({ app, slug }) => {
    try {
      const screen = proofScreen(app, slug);
      const asked = args.context.report as Report | undefined;
      const report = asked ?? (await doubtOf(app, slug));
      const check = { script: pageScript("proof"), labAnchors: labAnchors(app.settings) };
      const head: PageHead = { icon: proofState(screen, report).tone };
      return json({ screen, report, check, head });
    } catch (error) {
      const status = error instanceof DeedError ? error.status : 500;
      if (status !== 404 && status !== 410) throw error;
      const revoked = isoOrNull(linkBySlug(app.db, slug)?.link.revokedAt ?? null);
      return json({ screen: null, revoked }, { status });
    }
  });

/** Checks the proof for browsers without script; the loader has the report. */
export const action = (args: RouteArgs) =>
  publicAction(args, async ({ app, slug }) => {
    chargeVisitor(app, args.request);
    args.context.report = await checkProof(app, slug);
    return { problem: null };
  });

export const meta: MetaFunction<typeof loader> = ({ data }) => {
  const robots = { name: "robots", content: "noindex" };
  if (!data || data.screen === null)
    return [{ title: data?.revoked ? "Revoked link · Deed" : "No proof here · Deed" }, robots];
  const { proof } = data.screen;
  const { says, word } = proofState(data.screen, data.report);
  const now = word === "proved" ? "" : `${capitalised(word)} · `;
  const title = `${proof.slug.startsWith("test_") ? "TEST: " : ""}${now}Proof of control of ${proof.unicodeDomain}`;
  const description = `${says ? `${says} ` : ""}On ${fullText(proof.provedAt)} the holder of ${proof.heldBy} proved control of the DNS of ${proof.domain}.`;
  return [
    { title: `${title} · Deed` },
    { name: "description", content: description },
    robots,
    { property: "og:type", content: "article" },
    { property: "og:site_name", content: "Deed" },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:url", content: proof.url },
    { property: "article:published_time", content: proof.provedAt },
    { property: "og:image", content: new URL("/preview.png", proof.url).href },
    { property: "og:image:width", content: "1200" },
    { property: "og:image:height", content: "630" },
    { property: "og:image:alt", content: "Deed: proof of control of a domain name" },
    { name: "twitter:card", content: "summary_large_image" },
    { tagName: "link", rel: "canonical", href: proof.url },
    {
      tagName: "link",
      rel: "alternate",
      type: "application/json",
      href: `/api/proofs/${proof.slug}`,
    },
  ];
};

const revokedPage = (at: string) => ({
  title: "This link was revoked",
  lead: `The holder stopped sharing this proof on ${dayText(at)}. That does not make it false.`,
  toDo: "Ask the person who gave you the link for a new one.",
});
const UNKNOWN = {
  title: "No proof at this address",
  lead: "The link has a typo or was never issued, or its proof was deleted.",
  toDo: "Copy the link again from where you found it.",
};

export default function ProofPage() {
  const data = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  if (data.screen !== null) {
    return (
      <main id="main" tabIndex={-1} className="wide">
        <ProofDocument {...data} problem={answer?.problem?.message} />
      </main>
    );
  }
  const { toDo, ...page } = data.revoked ? revokedPage(data.revoked) : UNKNOWN;
  return (
    <Page {...page}>
      <p>
        {toDo} <a href="/docs/what-is-this">What is this?</a>
      </p>
    </Page>
  );
}
