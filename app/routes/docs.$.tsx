import type { MDXProps } from "mdx/types";
import { CopyCode, DocsPage, Links } from "#app/features/docs/view/docs.tsx";
import { OPERATE, pageAt } from "#app/features/docs/view/pages.ts";
import { getApp } from "#app/http/app.server.ts";
import { orNotFound } from "#app/http/page-errors.server.ts";
import type { LoaderFunctionArgs } from "#app/remix/node.server.ts";
import { Link, useLoaderData } from "#app/remix/react.ts";
import { Dotted } from "#app/ui/name.tsx";
import { Entry, titled } from "#app/ui/page.tsx";
import { Pre } from "#app/ui/pre.tsx";

export const handle = { scriptFile: true };

export const meta = titled<typeof loader>((data) => pageAt(data.path)?.title ?? "");

export function loader({ params }: LoaderFunctionArgs) {
  const path = params["*"] ?? "";
  const { settings, signer } = getApp();
  return {
    path: orNotFound(pageAt(path) && path),
    thumbprint: signer.kid,
    baseUrl: settings.baseUrl,
    version: settings.version.replace("+", "."),
  };
}

const componentsOf = ({ path, ...facts }: ReturnType<typeof loader>): MDXProps["components"] => ({
  pre: ({ children }) => <Pre>{children}</Pre>,
  /** A link to another file. */
  a: ({ href = "", children }) => {
    if (/^(https?:|[/#])/.test(href)) return <a href={href}>{children}</a>;
    const folder = path.replace(/^integrate\/?$/, "integrate/index");
    const { pathname, hash } = new URL(href.replace(/\.md\b/, ""), `http://x/docs/${folder}`);
    const linkedPath = pathname.replace("/docs/pages/", "/docs/");
    // Not every file is a page of the documentation.
    return pageAt(linkedPath.slice("/docs/".length)) ? (
      <Link to={linkedPath + hash}>{children}</Link>
    ) : (
      children
    );
  },
  /** Shows this installation's address, version and thumbprint in examples, and links its own paths. */
  code: ({ className, children }) => {
    const text = String(children)
      .replaceAll("https://deed.example.org", facts.baseUrl)
      .replaceAll("<version>", facts.version)
      .replace(/^<its thumbprint>$/, facts.thumbprint);
    const isCodeBlock = className !== undefined || text.endsWith("\n");
    const code = <code className={className}>{isCodeBlock ? text : <Dotted name={text} />}</code>;
    return /^\/(?:docs|\.well-known)\//.test(text) ? <a href={text}>{code}</a> : code;
  },
});

export default function MarkdownPage() {
  const data = useLoaderData<typeof loader>();
  const page = pageAt(data.path);
  if (!page) return null;
  const { title, Text, note } = page;
  return (
    <DocsPage title={title} lead={note}>
      <Text components={componentsOf(data)} />
      {data.path.startsWith("operate/") ? (
        <Entry title="For operators">
          <Links links={OPERATE.filter(({ title }) => title !== page.title)} />
        </Entry>
      ) : null}
      <CopyCode />
    </DocsPage>
  );
}
