import { publicAction, publicLoader, type RouteArgs } from "#app/api/page.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { stateLabel } from "#app/features/claim-page/state-label.ts";
import { useWaiting } from "#app/features/claim-page/use-waiting.ts";
import { checkHandoff, handoffScreen } from "#app/features/handoffs/handoff-screen.server.ts";
import {
  EndedHandoff,
  OpenHandoff,
  UnknownHandoff,
} from "#app/features/handoffs/view/handoff-page.tsx";
import { redirectToSelf } from "#app/http/body.server.ts";
import { connectionOf } from "#app/http/connection.server.ts";
import { tooSoonOf } from "#app/http/page-errors.server.ts";
import { json, type MetaFunction } from "#app/remix/node.server.ts";
import { useActionData, useLoaderData, useParams } from "#app/remix/react.ts";
import { useTimedRevalidation } from "#app/ui/background-revalidation.ts";
import type { PageHandle, PageHead } from "#app/ui/page.tsx";

const REFRESH_MS = 15_000;

export const handle: PageHandle = { script: true, document: true };

export const headers = () => ({ "X-Robots-Tag": "noindex, nofollow" });

export const loader = (args: RouteArgs) =>
  publicLoader(args, async ({ app, slug, query }) => {
    try {
      const options = { read: query.get("read"), isLive: query.has("live") };
      const screen = await handoffScreen(app, slug, options);
      if (screen.type === "ended") return json({ screen, label: null }, { status: 410 });
      const label = stateLabel(screen.view.claim.state, screen.view.open);
      const { reloads } = screen.view;
      const head: PageHead = { icon: label.tone, ...(reloads && { refreshSeconds: reloads }) };
      return json({ screen, label, head });
    } catch (error) {
      if (!(error instanceof DeedError && error.status === 404)) throw error;
      return json({ screen: null, label: null }, { status: 404 });
    }
  });

export const action = (args: RouteArgs) =>
  publicAction(
    args,
    {
      async check({ app, slug }) {
        await checkHandoff(app, connectionOf(args.request), slug);
        return redirectToSelf(`/h/${slug}`);
      },
    },
    (refusal) => {
      const tooSoon = tooSoonOf(refusal);
      return { problem: tooSoon ? null : refusal.problem, tooSoon };
    },
  );

export const meta: MetaFunction<typeof loader> = ({ data }) => {
  const { screen, label } = data ?? {};
  const title =
    screen?.type === "open"
      ? `${label?.word} · ${screen.view.claim.unicodeDomain} · Deed`
      : `${screen?.type === "ended" && screen.name ? `Proved · ${screen.name.unicode}` : "Shared record"} · Deed`;
  return [{ title }, { name: "robots", content: "noindex, nofollow" }];
};

export default function HandoffRoute() {
  const { screen } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>() ?? {};
  const { slug } = useParams();
  useWaiting(screen?.type === "open" ? `/api/handoffs/${slug}/waiting` : null);
  useTimedRevalidation(screen?.type === "open" ? REFRESH_MS : null);
  if (screen === null) return <UnknownHandoff />;
  if (screen.type === "ended") return <EndedHandoff screen={screen} />;
  return <OpenHandoff screen={screen} result={result} />;
}
