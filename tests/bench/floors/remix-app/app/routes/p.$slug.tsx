import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { proofOf, witnessOf } from "../proofs.server.ts";

export function loader({ params }: LoaderFunctionArgs) {
  const slug = params.slug ?? "";
  const proof = proofOf(slug);
  if (!proof) throw new Response("no such proof", { status: 404 });
  return json({ proof, witness: witnessOf(slug), made: new Date().toISOString() });
}

const written = (iso: string) => new Date(iso).toUTCString();

export const meta: MetaFunction<typeof loader> = ({ data }) => {
  if (!data) return [{ title: "No proof here" }];
  const { proof } = data;
  const title = `Proof of control of ${proof.unicodeDomain}`;
  const description = `On ${written(proof.provedAt)} the holder of ${proof.heldBy} demonstrated control of the DNS of ${proof.domain}.`;
  return [
    { title },
    { name: "description", content: description },
    { name: "robots", content: "noindex" },
    { property: "og:type", content: "article" },
    { property: "og:site_name", content: "Deed" },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:url", content: proof.url },
    { property: "article:published_time", content: proof.provedAt },
    { name: "twitter:card", content: "summary" },
    { tagName: "link", rel: "canonical", href: proof.url },
    {
      tagName: "link",
      rel: "alternate",
      type: "application/json",
      href: `/api/proofs/${proof.slug}`,
    },
  ];
};

function Seal() {
  return (
    <svg viewBox="0 0 32 32" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden="true">
      <circle cx="16" cy="16" r="14" />
      <circle cx="16" cy="16" r="10.5" strokeWidth="0.9" />
      <path d="M10.5 16.6 14.3 21 21.8 11.4" strokeWidth="2.6" />
    </svg>
  );
}

export default function Proof() {
  const { proof, witness, made } = useLoaderData<typeof loader>();
  return (
    <>
      <a href="#main" className="skip">
        Skip to the content
      </a>
      <header className="masthead wide row apart">
        <a href="/" className="wordmark">
          <Seal />
          Floor
        </a>
      </header>
      <main id="main" tabIndex={-1} className="wide">
        <article className="deed">
          <div className="kicker">
            <span className="row">
              <Seal />
              Proof of control
            </span>
            <span className="state proved">
              <svg viewBox="0 0 16 16" className="proved" stroke="currentColor" aria-hidden="true">
                <path d="M2 8.5 6.2 13 14 3.5" fill="none" strokeWidth="2.4" />
              </svg>
              standing
            </span>
          </div>
          <h1>
            On{" "}
            <strong>
              <time dateTime={proof.provedAt}>{written(proof.provedAt)}</time>
            </strong>{" "}
            the holder of{" "}
            <strong>
              <bdi>{proof.heldBy}</bdi>
            </strong>{" "}
            demonstrated control of the DNS of{" "}
            <strong>
              <bdi dir="ltr">{proof.unicodeDomain}</bdi>
            </strong>
            .
          </h1>
          <dl className="facts">
            <div>
              <dt>How</dt>
              <dd>
                <span>
                  the token below stood as a TXT record at <code>{proof.challengeHost}</code>, on{" "}
                  {witness.servers} nameservers of the zone, seen by {witness.witnesses} resolvers
                  that were asked independently
                </span>
              </dd>
            </div>
            <div>
              <dt>Token</dt>
              <dd>
                <code>{proof.token}</code>
              </dd>
            </div>
            <div>
              <dt>Recency</dt>
              <dd>
                {proof.recency.type === "latest" ? "the latest proof of this name" : "proved later"}
              </dd>
            </div>
            <div>
              <dt>This page</dt>
              <dd>
                <code>{proof.url}</code>
              </dd>
            </div>
          </dl>
          <div className="stack">
            <h2>What this says, and what it does not</h2>
            <p>
              At that moment, whoever asked for this token was able to publish it in the zone of
              exactly this name. It says nothing about names above or below it, about any time
              since, or about who owns a company or a trade mark. The address is shown with all but
              its first letter hidden; mail was sent to it and was answered. This paragraph is as
              long as the one it stands for, and so is the page, to within two in a hundred.
            </p>
            <p>
              A genuine token is <code>service_v1_</code> followed by 40 digits of 0–9 and a–f. The
              record may have been deleted since: it is not needed any more. This page reads no DNS.
            </p>
            <p className="row apart small sans soft">
              <a href={`/api/proofs/${proof.slug}`} className="screen-only">
                The same as JSON
              </a>
              <span>
                Page made on <time dateTime={made}>{written(made)}</time>
              </span>
            </p>
          </div>
        </article>
      </main>
      <footer className="colophon">
        <div className="wide row apart">
          <span>Stands for a service that states a control of names, and when.</span>
          <a href="/about">How it works</a>
        </div>
      </footer>
    </>
  );
}
