import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { DiagnosisGuidePage } from "#app/components/docs/diagnosis-page.tsx";
import type { PageHandle } from "#app/components/ui/handle.ts";
import { throwPage } from "#app/http/page-errors.server.ts";
import { DeedError } from "#app/services/errors.server.ts";
import { diagnosisPage } from "#app/services/screens/guides.ts";

export const handle: PageHandle = { script: false };
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.page.title ?? "No such page"} · Deed` },
];

export const loader = ({ params }: LoaderFunctionArgs) =>
  json({ page: diagnosisPage(params.code ?? "") ?? throwPage(new DeedError("not_found")) });

export default function DiagnosisGuideRoute() {
  return <DiagnosisGuidePage page={useLoaderData<typeof loader>().page} />;
}
