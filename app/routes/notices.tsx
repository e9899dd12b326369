import { accountAction, accountLoader, oneCall, type RouteArgs } from "#app/api/page.server.ts";
import { readAccount } from "#app/core/accounts/accounts.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { noticeEndpoints } from "#app/features/notices/api.server.ts";
import { listNotices, markNoticesRead, withNames } from "#app/features/notices/notices.server.ts";
import { NoticeList } from "#app/features/notices/view/notice-list.tsx";
import { shownWebhooks } from "#app/features/webhooks/deliveries.server.ts";
import { WebhooksInTrouble } from "#app/features/webhooks/view/webhooks.tsx";
import { Link, useActionData, useLoaderData } from "#app/remix/react.ts";
import { ActionButton } from "#app/ui/button.tsx";
import { useHolder } from "#app/ui/frame.tsx";
import { Entry, Page, type PageHandle, Problem } from "#app/ui/page.tsx";
import { olderFrom, Pager } from "#app/ui/table.tsx";

export const handle: PageHandle = { live: true };

export const loader = (args: RouteArgs) =>
  accountLoader(args, ({ app, query, session: { accountId, personId } }) => {
    const cursor = query.get("cursor") || undefined;
    const { notices, nextCursor } = listNotices(app, accountId, { cursor });
    return {
      notices: withNames(app, accountId, notices),
      nextCursor,
      webhooks: shownWebhooks(app, accountId),
      paged: cursor !== undefined,
      isMailed: readAccount(app, personId)?.person.mailEnabled,
    };
  });

export const action = (args: RouteArgs) => {
  const { pathname, search } = new URL(args.request.url);
  const here = pathname + search;
  return accountAction(args, {
    read: oneCall(noticeEndpoints.markNoticeRead, here, ({ field }) => ({
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
  const { notices, nextCursor, webhooks, paged, isMailed, now } = useLoaderData<typeof loader>();
  const unreadCount = useHolder()?.unread ?? 0;
  const problem = useActionData<typeof action>()?.problem;
  return (
    <Page
      title="Notices"
      lead={
        <>
          What happens to your domains is listed here.{" "}
          <Link to="/domains?status=needs_you">What needs action now</Link>
        </>
      }
    >
      <Entry title={paged ? "Older" : "Newest first"}>
        <Problem message={problem?.message} />
        <WebhooksInTrouble webhooks={webhooks} now={now} />
        {unreadCount > 1 && notices[0] && !paged ? (
          <ActionButton
            intent="read-all"
            kind="quiet"
            fields={{ until: notices[0].createdAt }}
            busy="Marking…"
          >
            Mark all {unreadCount} as read
          </ActionButton>
        ) : null}
        {notices.length === 0 ? <p>Nothing yet.</p> : null}
        <NoticeList notices={notices} now={now} />
        <Pager newest={paged ? "/notices" : null} older={olderFrom(nextCursor)} />
        <p>
          Notices are {isMailed ? "also" : "not"} emailed to you.{" "}
          <Link to="/account">Turn this on or off</Link>
        </p>
      </Entry>
    </Page>
  );
}
