import { publicAction, type RouteArgs } from "#app/api/page.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { checkScreen } from "#app/features/checks/check-screen.server.ts";
import { recordQuery } from "#app/features/checks/checks.server.ts";
import { pastedRecord } from "#app/features/checks/pasted-record.ts";
import { CheckCard } from "#app/features/checks/view/check-card.tsx";
import { RecordForm } from "#app/features/checks/view/record-form.tsx";
import { useFollow } from "#app/features/checks/view/use-follow.ts";
import { PathSection } from "#app/features/zones/view/record-path.tsx";
import { getApp } from "#app/http/app.server.ts";
import { buttonCookie, wasPressed } from "#app/http/caller/cookies.server.ts";
import { connectionOf } from "#app/http/connection.server.ts";
import { addressKey } from "#app/http/limits.server.ts";
import { throwPage } from "#app/http/page-errors.server.ts";
import {
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "#app/remix/node.server.ts";
import { useActionData, useLoaderData } from "#app/remix/react.ts";
import { Dotted } from "#app/ui/name.tsx";
import { Fold, Page, type PageHandle, type PageHead } from "#app/ui/page.tsx";

export const handle: PageHandle = { script: true };

const typedFields = (from: URLSearchParams) => ({
  name: from.get("name") ?? "",
  type: from.get("type") === "CNAME" ? "CNAME" : "TXT",
  value: from.get("value") ?? "",
});

/** Reads DNS only in the browser where somebody pressed the button for this record, for ten minutes. */
export async function loader({ request }: LoaderFunctionArgs) {
  const app = getApp();
  const typed = typedFields(new URL(request.url).searchParams);
  const { address, closed } = connectionOf(request);
  if (!(await wasPressed(app.env, request, typed)))
    return json({ typed, screen: null, error: null });
  try {
    app.limiter.consume({ zones: address });
    const query = recordQuery(pastedRecord(typed));
    const screen = await checkScreen(app, query, addressKey(address), closed);
    return json({ typed, screen, error: null, head: { icon: screen.tone } satisfies PageHead });
  } catch (error) {
    if (!(error instanceof DeedError) || error.code === "rate_limited") return throwPage(error);
    const { message, status, details } = error;
    return json({ typed, screen: null, error: { message, param: details.param } }, { status });
  }
}

export const action = (args: RouteArgs) =>
  publicAction(
    args,
    async ({ app, form }) => {
      const { name, type, value } = pastedRecord(typedFields(form));
      const record = { name: recordQuery({ name, type, value }).name, type, value };
      const headers = { "Set-Cookie": await buttonCookie(app.env, record) };
      return redirect(`/check?${new URLSearchParams(record)}`, { status: 303, headers });
    },
    ({ problem: error }, form) => ({ error, typed: typedFields(form ?? new URLSearchParams()) }),
  );

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.screen?.record.name ?? "Check a record"} · Deed` },
  ...(data?.typed.name ? [{ name: "robots", content: "noindex" }] : []),
];

const UNASKED = {
  title: "Why is my record not found?",
  lead: "Deed looks for a record that any service asked you to add, and names the mistake.",
};

export default function CheckPage() {
  const { typed, screen, error } = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>();
  const isLooking = useFollow(screen && !screen.isFound ? screen.record : null);
  const { message = null, param = "name" } = refusal?.error ?? error ?? {};
  const form = <RecordForm typed={refusal?.typed ?? typed} errors={{ [param]: message }} />;
  if (!screen) return <Page {...UNASKED}>{form}</Page>;
  return (
    <Page
      title={
        <bdi dir="ltr">
          <Dotted name={screen.record.name} />
        </bdi>
      }
    >
      <CheckCard screen={screen} isLooking={isLooking} />
      <PathSection title="Where the record is" path={screen.path} tone={screen.tone} />
      <Fold title="Another record">{form}</Fold>
    </Page>
  );
}
