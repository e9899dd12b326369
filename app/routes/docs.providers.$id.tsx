import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { DeedError } from "#app/core/errors.server.ts";
import { providerPage } from "#app/features/docs/guides.ts";
import { ProviderGuidePage } from "#app/features/docs/view/provider-page.tsx";
import { getApp } from "#app/http/app.server.ts";
import { throwPage } from "#app/http/page-errors.server.ts";
import type { PageHandle } from "#app/ui/handle.ts";

export const handle: PageHandle = { script: false };
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.page.title ?? "No such page"} · Deed` },
];

export function loader({ params }: LoaderFunctionArgs) {
  const page = providerPage(params.id ?? "", getApp().settings.challengeLabel);
  return json({ page: page ?? throwPage(new DeedError("not_found")) });
}

export default function ProviderGuideRoute() {
  return <ProviderGuidePage page={useLoaderData<typeof loader>().page} />;
}
