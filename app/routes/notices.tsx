import { accountAction, accountLoader, calling, type RouteArgs } from "#app/api/page.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { noticeEndpoints } from "#app/features/notices/api.server.ts";
import { listNotices, markNoticesRead, withNames } from "#app/features/notices/notices.server.ts";
import { NoticeList } from "#app/features/notices/view/notice-list.tsx";
import { watchEndpoints } from "#app/features/watching/api.server.ts";
import { EndedWebhooks } from "#app/features/webhooks/view/webhooks.tsx";
import { endedWebhooks } from "#app/features/webhooks/webhooks.server.ts";
import { Link, useActionData, useLoaderData } from "#app/remix/react.ts";
import { ActionButton } from "#app/ui/button.tsx";
import { useHolder } from "#app/ui/frame.tsx";
import { Entry, Page, type PageHandle, Problem } from "#app/ui/page.tsx";
import { olderFrom, Pager } from "#app/ui/table.tsx";

export const handle: PageHandle = { live: true };

export const loader = (args: RouteArgs) =>
  accountLoader(args, ({ app, query, session: { accountId } }) => {
    const cursor = query.get("cursor") || undefined;
    const isNeeding = query.has("needs");
    const { notices, nextCursor } = listNotices(app, accountId, { cursor, isNeeding });
    return {
      isNeeding,
      notices: withNames(app, accountId, notices),
      nextCursor,
      ended: endedWebhooks(app, accountId),
      paged: cursor !== undefined,
    };
  });

export const action = (args: RouteArgs) => {
  const { pathname, search } = new URL(args.request.url);
  const here = pathname + search;
  return accountAction(args, {
    unwatch: calling(watchEndpoints.stopWatch, here, ({ field }) => ({
      params: { id: field("claimId") },
    })),
    read: calling(noticeEndpoints.markNoticeRead, here, ({ field }) => ({
      params: { id: field("id") },
    })),
    async "read-all"({ app, field, session }) {
      const until = Date.parse(field("until"));
      if (Number.isNaN(until)) throw new DeedError("invalid_request");
      await markNoticesRead(app, session.accountId, until);
      return here;
    },
  });
};

export const meta = () => [{ title: "Notices · Deed" }];

export default function NoticesPage() {
  const { notices, nextCursor, ended, paged, isNeeding, now } = useLoaderData<typeof loader>();
  const here = isNeeding ? "/notices?needs" : "/notices";
  const unread = useHolder()?.unread ?? 0;
  const problem = useActionData<typeof action>()?.problem;
  return (
    <Page title="Notices" lead="What happened to your domains.">
      <Entry title={paged ? "Older" : "Newest first"}>
        <Problem message={problem?.message} />
        <nav aria-label="Filter notices">
          <ul className="plain filters">
            <li>
              <Link to="/notices" aria-current={isNeeding ? undefined : "page"}>
                All
              </Link>
            </li>{" "}
            <li>
              <Link to="/notices?needs" aria-current={isNeeding ? "page" : undefined}>
                Action needed
              </Link>
            </li>
          </ul>
        </nav>
        <EndedWebhooks webhooks={ended} />
        {unread > 1 && notices[0] && !paged && !isNeeding ? (
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
            {isNeeding
              ? "Nothing needs you."
              : "Nothing yet. Proofs, and domains that are not proved after a while, are listed here and emailed to you."}
          </p>
        )}
        <Pager
          newest={paged ? here : null}
          older={nextCursor && `${olderFrom(nextCursor)}${isNeeding ? "&needs" : ""}`}
        />
      </Entry>
      <Entry title="Email">
        <p>
          Notices are also emailed. <Link to="/account">Turn this on or off</Link>
        </p>
      </Entry>
    </Page>
  );
}
