import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import type { MDXProps } from "mdx/types";
import { DeedError } from "#app/core/errors.server.ts";
import { DocsNav } from "#app/features/docs/view/docs.tsx";
import { recipeAt } from "#app/features/docs/view/recipes.ts";
import { throwPage } from "#app/http/page-errors.server.ts";
import type { PageHandle } from "#app/ui/handle.ts";
import { Page } from "#app/ui/page.tsx";

export const handle: PageHandle = { script: false };
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${recipeAt(data?.path)?.title ?? "No such page"} · Deed` },
];

export function loader({ params }: LoaderFunctionArgs) {
  const path = params["*"] ?? "";
  return json({ path: recipeAt(path) ? path : throwPage(new DeedError("not_found")) });
}

const COMPONENTS: MDXProps["components"] = {
  h1: () => null,
  /** A link to another of the files. */
  a: ({ href = "", children }) => (
    <Link to={href.replace(/^(?:index)?(.*?)\.md$/, "/docs/integrate/$1")}>{children}</Link>
  ),
  /** A path of this service is a link. */
  code: ({ className, children }) =>
    typeof children === "string" && /^\/(?:docs|\.well-known)\//.test(children) ? (
      <a href={children}>
        <code>{children}</code>
      </a>
    ) : (
      <code className={className}>{children}</code>
    ),
};

export default function RecipePage() {
  const { path } = useLoaderData<typeof loader>();
  const recipe = recipeAt(path);
  if (!recipe) return null;
  const { title, Text } = recipe;
  return (
    <Page above={<DocsNav />} title={title}>
      <Text components={COMPONENTS} />
    </Page>
  );
}
