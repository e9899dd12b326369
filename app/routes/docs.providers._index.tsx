import { providerLinks } from "#app/features/docs/guides.ts";
import { DocsPage, Links } from "#app/features/docs/view/docs.tsx";
import { Link, useLoaderData } from "#app/remix/react.ts";
import { Entry } from "#app/ui/page.tsx";

export const meta = () => [{ title: "DNS providers · Deed" }];

export const loader = () => ({ providers: providerLinks() });

export default function ProvidersPage() {
  const { providers } = useLoaderData<typeof loader>();
  return (
    <DocsPage
      title="Add the record at your DNS provider"
      lead="Your DNS provider is the company that runs your domain’s nameservers. It may not be the company that sold you the domain."
    >
      <Entry title="Providers">
        <Links links={providers} />
      </Entry>
      <Entry title="Which is mine?">
        <p>
          <Link to="/zones">Check your domain</Link>: Deed shows its nameservers, and the provider,
          if known.
        </p>
      </Entry>
    </DocsPage>
  );
}
