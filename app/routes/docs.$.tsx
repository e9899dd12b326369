import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { DeedError } from "#app/core/errors.server.ts";
import { DocsNav } from "#app/features/docs/view/docs.tsx";
import { pageAt } from "#app/features/docs/view/receipt-pages.tsx";
import { getApp } from "#app/http/app.server.ts";
import { throwPage } from "#app/http/page-errors.server.ts";
import type { PageHandle } from "#app/ui/handle.ts";
import { Page } from "#app/ui/page.tsx";

export const handle: PageHandle = { script: false };
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${pageAt(data?.path)?.title ?? "No such page"} · Deed` },
];

export function loader({ params }: LoaderFunctionArgs) {
  const path = params["*"] ?? "";
  return json({
    path: pageAt(path) ? path : throwPage(new DeedError("not_found")),
    thumbprint: getApp().signer.kid,
  });
}

export default function ReceiptDocsPage() {
  const { path, thumbprint } = useLoaderData<typeof loader>();
  const page = pageAt(path);
  if (!page) return null;
  const { title, lead, Text } = page;
  return (
    <Page above={<DocsNav />} title={title} lead={lead}>
      <Text thumbprint={thumbprint} />
    </Page>
  );
}
