import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { DeedError } from "#app/core/errors.server.ts";
import { diagnosisPage } from "#app/features/docs/guides.ts";
import { DiagnosisGuidePage } from "#app/features/docs/view/diagnosis-page.tsx";
import { throwPage } from "#app/http/page-errors.server.ts";
import type { PageHandle } from "#app/ui/handle.ts";

export const handle: PageHandle = { script: false };
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.page.title ?? "No such page"} · Deed` },
];

export const loader = ({ params }: LoaderFunctionArgs) =>
  json({ page: diagnosisPage(params.code ?? "") ?? throwPage(new DeedError("not_found")) });

export default function DiagnosisGuideRoute() {
  return <DiagnosisGuidePage page={useLoaderData<typeof loader>().page} />;
}
