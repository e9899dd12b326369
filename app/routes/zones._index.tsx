import { NameSearch } from "#app/features/domains/view/name-search.tsx";
import { type LoaderFunctionArgs, redirect } from "#app/remix/node.server.ts";
import { useLoaderData } from "#app/remix/react.ts";
import { Page } from "#app/ui/page.tsx";

export function loader({ request }: LoaderFunctionArgs) {
  const name = new URL(request.url).searchParams.get("name");
  if (name?.trim()) throw redirect(`/zones/${encodeURIComponent(name.trim())}`, 303);
  return { error: name === null ? null : "Type a domain name such as example.com." };
}

export const meta = () => [{ title: "Check a domain · Deed" }];

export default function ZoneSearch() {
  const { error } = useLoaderData<typeof loader>();
  return (
    <Page
      title="Check a domain"
      lead="See where its DNS is managed, and how soon a new record shows up."
    >
      <NameSearch typed="" error={error} />
    </Page>
  );
}
