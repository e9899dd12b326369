import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { callEndpoint } from "#app/api/dispatch.server.ts";
import { formAction } from "#app/api/form-action.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { readNotice } from "#app/features/notices/api.server.ts";
import { listNotices, markNoticesRead, withNames } from "#app/features/notices/notices.server.ts";
import { NoticeList } from "#app/features/notices/view/notice-list.tsx";
import { stopWatch } from "#app/features/watching/api.server.ts";
import { EndedWebhooks } from "#app/features/webhooks/view/webhooks.tsx";
import { endedWebhooks } from "#app/features/webhooks/webhooks.server.ts";
import { getApp } from "#app/http/app.server.ts";
import { requireSession } from "#app/http/caller/session.server.ts";
import { throwPage } from "#app/http/page-errors.server.ts";
import { ActionButton } from "#app/ui/button.tsx";
import { useHolder } from "#app/ui/frame.tsx";
import type { PageHandle } from "#app/ui/handle.ts";
import { Entry, Page, Problem } from "#app/ui/page.tsx";
import { Pager } from "#app/ui/table.tsx";

export const handle: PageHandle = { live: true };

export async function loader({ request }: LoaderFunctionArgs) {
  const { accountId } = await requireSession(request);
  const app = getApp();
  const cursor = new URL(request.url).searchParams.get("cursor") || undefined;
  try {
    const { notices, nextCursor } = listNotices(app, accountId, { cursor });
    return json({
      notices: withNames(app, accountId, notices),
      nextCursor,
      ended: endedWebhooks(app, accountId),
      paged: cursor !== undefined,
      now: new Date(app.clock()).toISOString(),
    });
  } catch (thrown) {
    return throwPage(thrown);
  }
}

export const action = (args: ActionFunctionArgs) =>
  formAction(args, async (form, { accountId }) => {
    const { request } = args;
    if (form.get("intent") === "unwatch")
      await callEndpoint(stopWatch, request, { params: { id: form.get("claimId") ?? "" } });
    else if (form.get("intent") === "read-all") {
      const until = Date.parse(form.get("until") ?? "");
      if (Number.isNaN(until)) throw new DeedError("invalid_request");
      await markNoticesRead(getApp(), accountId, until);
    } else await callEndpoint(readNotice, request, { params: { id: form.get("id") ?? "" } });
    const { pathname, search } = new URL(request.url);
    return redirect(pathname + search, 303);
  });

export const meta = () => [{ title: "Notices · Deed" }];

export default function NoticesPage() {
  const { notices, nextCursor, ended, paged, now } = useLoaderData<typeof loader>();
  const unread = useHolder()?.unread ?? 0;
  const problem = useActionData<typeof action>()?.problem;
  return (
    <Page title="Notices" lead="What happened to your domains.">
      <Entry title={paged ? "Older" : "Newest first"}>
        <Problem message={problem?.message} />
        <EndedWebhooks webhooks={ended} />
        {unread > 1 && notices[0] && !paged ? (
          <ActionButton
            intent="read-all"
            kind="quiet"
            fields={{ until: notices[0].createdAt }}
            busy="Marking…"
          >
            Mark all {unread} as read
          </ActionButton>
        ) : null}
        {notices.length > 0 ? (
          <NoticeList notices={notices} now={now} />
        ) : (
          <p className="soft">
            Nothing yet. When a domain is proved, or is still not proved after a while, you find it
            here and get a mail.
          </p>
        )}
        <Pager
          newest={paged ? "/notices" : null}
          older={nextCursor && `/notices?cursor=${encodeURIComponent(nextCursor)}`}
        />
      </Entry>
      <Entry title="Mail">
        <p>
          Notices are also sent by mail. <Link to="/account">Turn mails on or off</Link>
        </p>
      </Entry>
    </Page>
  );
}
