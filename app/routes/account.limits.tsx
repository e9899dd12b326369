import { accountLoader, type RouteArgs } from "#app/api/page.server.ts";
import { limitsOf } from "#app/features/limits/limits.server.ts";
import { LimitTable } from "#app/features/limits/view/limits.tsx";
import { Link, useLoaderData } from "#app/remix/react.ts";
import { Page } from "#app/ui/page.tsx";

export const loader = (args: RouteArgs) =>
  accountLoader(args, ({ app, session }) => ({ limits: limitsOf(app, session) }));

export const meta = () => [{ title: "Limits · Deed" }];

export default function LimitsPage() {
  const { limits, now } = useLoaderData<typeof loader>();
  return (
    <Page above={<Link to="/account">Account</Link>} title="Limits">
      <LimitTable limits={limits} now={now} />
      <p className="soft">
        Each customer (reference) also has its own limit on checks, equal to an account’s default.
        Programs read these limits from <code>/api/limits</code>.
      </p>
    </Page>
  );
}
