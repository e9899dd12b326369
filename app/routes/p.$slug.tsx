import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { publicLoader } from "#app/api/page.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { proofScreen } from "#app/features/proofs/proofs.server.ts";
import { ProofDocument } from "#app/features/proofs/view/proof.tsx";
import { Page, type PageHandle } from "#app/ui/page.tsx";
import { fullText } from "#app/ui/time.tsx";

export const handle: PageHandle = { document: true };

export const loader = (args: LoaderFunctionArgs) =>
  publicLoader(args, ({ app, slug }) => {
    try {
      return json({ screen: proofScreen(app, slug), head: { icon: "proved" } as const });
    } catch (thrown) {
      const status = thrown instanceof DeedError ? thrown.status : 500;
      if (status !== 404 && status !== 410) throw thrown;
      return json({ screen: null, revoked: status === 410 }, { status });
    }
  });

export const meta: MetaFunction<typeof loader> = ({ data }) => {
  const robots = { name: "robots", content: "noindex" };
  if (!data || data.screen === null)
    return [{ title: data?.revoked ? "Revoked link · Deed" : "No proof here · Deed" }, robots];
  const { proof } = data.screen;
  const title = `Proof of control of ${proof.unicodeDomain}`;
  const description = `On ${fullText(proof.provedAt)} the holder of ${proof.heldBy} proved control of the DNS of ${proof.domain}.`;
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

const REVOKED = {
  above: "Revoked link",
  title: "This link was revoked",
  lead: "The holder took it back. The proof keeps its date, but this page no longer shows it.",
  toDo: "Ask the person who gave you the link for a new one.",
};
const UNKNOWN = {
  above: "Unknown link",
  title: "No proof at this address",
  lead: "The link is misspelled or was never issued, or its proof was deleted.",
  toDo: "Compare it with the link you were given, letter by letter.",
};

export default function ProofPage() {
  const data = useLoaderData<typeof loader>();
  if (data.screen !== null) {
    return (
      <main id="main" tabIndex={-1} className="wide">
        <ProofDocument screen={data.screen} />
      </main>
    );
  }
  const { toDo, ...page } = data.revoked ? REVOKED : UNKNOWN;
  return (
    <Page {...page}>
      <p>
        {toDo} <a href="/docs/what-is-this">What is this?</a>
      </p>
    </Page>
  );
}
