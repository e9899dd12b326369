import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import {
  browseSessions,
  changeAccount,
  endOneSession,
  showAccount,
} from "#app/api/account.server.ts";
import { perform } from "#app/api/dispatch.server.ts";
import { endAllSessions, requireSession } from "#app/auth/session.server.ts";
import { Act } from "#app/components/button.tsx";
import { Problem } from "#app/components/notice.tsx";
import { Entry, Facts, Page } from "#app/components/page.tsx";
import { SessionList } from "#app/components/session-list.tsx";
import { Moment } from "#app/components/time.tsx";
import { getApp } from "#app/http/app.server.ts";
import { formOf } from "#app/http/body.server.ts";
import { problemOf, throwPage } from "#app/http/page-errors.server.ts";
import { DeedError } from "#app/services/errors.server.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  await requireSession(request);
  try {
    const { body: account } = await perform(showAccount, request);
    const { body } = await perform(browseSessions, request);
    const now = new Date(getApp().clock()).toISOString();
    return json({ account, sessions: body.sessions, now });
  } catch (thrown) {
    return throwPage(thrown);
  }
}

export async function action({ request }: ActionFunctionArgs) {
  const session = await requireSession(request);
  try {
    const form = await formOf(request);
    switch (form.get("intent")) {
      case "mail":
        await perform(changeAccount, request, {
          body: { mailEnabled: form.get("mail") === "on" },
        });
        return redirect("/account", 303);
      case "end":
        await perform(endOneSession, request, { params: { id: form.get("id") ?? "" } });
        return redirect(form.get("id") === session.id ? "/" : "/account", 303);
      case "end-all": {
        const { cookie } = await endAllSessions(getApp(), session.accountId);
        return redirect("/", { status: 303, headers: { "Set-Cookie": cookie } });
      }
      default:
        throw new DeedError("invalid_request");
    }
  } catch (thrown) {
    const { problem, status } = problemOf(thrown);
    return json({ problem }, { status });
  }
}

export const meta: MetaFunction = () => [{ title: "Account · Deed" }];

export default function AccountPage() {
  const { account, sessions, now } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  return (
    <Page title="Account">
      <Problem message={problem?.message} />
      <Entry title="Address">
        <Facts
          rows={[
            ["Address", <bdi key="email">{account.email}</bdi>],
            ["Since", <Moment key="since" at={account.createdAt} form="day" />],
          ]}
        />
      </Entry>
      <Entry title="Mail">
        <p>
          Notices are {account.mailEnabled ? "mailed to this address" : "not mailed"}. They always
          stand under <Link to="/notices">Notices</Link>. Mails to sign in are sent either way.
        </p>
        <Act intent="mail" fields={{ mail: account.mailEnabled ? "off" : "on" }}>
          {account.mailEnabled ? "Stop mailing notices" : "Mail me notices"}
        </Act>
      </Entry>
      <Entry title="Signed in">
        <SessionList sessions={sessions} now={now} />
        <Act intent="end-all">Sign out everywhere</Act>
      </Entry>
      <Entry title="Leave">
        <p>
          <Link to="/account/delete">Delete the account…</Link>
        </p>
      </Entry>
    </Page>
  );
}
