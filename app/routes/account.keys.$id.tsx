import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { accountAction, accountLoader, calling } from "#app/api/page.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { dropKey, renewKey } from "#app/features/keys/api.server.ts";
import { listKeys, OVERLAP_HOURS } from "#app/features/keys/keys.server.ts";
import { End, LastUse, ShownOnce, scopesText } from "#app/features/keys/view/api-keys.tsx";
import { ActionButton } from "#app/ui/button.tsx";
import { Entry, Facts, Page, type PageHandle, Problem } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";

export const handle: PageHandle = { script: true };

export const loader = (args: LoaderFunctionArgs) =>
  accountLoader(args, ({ app, id, session }) => {
    const key = listKeys(app, session.accountId).find((one) => one.id === id);
    if (!key) throw new DeedError("key_not_found");
    return { key, overlap: OVERLAP_HOURS };
  });

/** A second click, or a reload: it would end the key that programs still use. */
const ROTATED_MEANWHILE =
  "This key was rotated since this page was shown, so nothing was done. If the new key is lost, rotate it again.";

export const action = (args: ActionFunctionArgs) =>
  accountAction(
    args,
    {
      revoke: calling(dropKey, "/account/keys"),
      async rotate({ app, id, form, call, session }) {
        const key = listKeys(app, session.accountId).find((one) => one.id === id);
        if (key && (key.rotatedAt ?? "") !== (form.get("rotatedAt") ?? ""))
          return json({ text: null, problem: ROTATED_MEANWHILE }, { status: 409 });
        const { body } = await call(renewKey);
        return { text: body.key, problem: null };
      },
    },
    ({ problem }) => ({ text: null, problem: problem.message }),
  );

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.key.name} · API keys · Deed` },
];

export default function KeyPage() {
  const { key, overlap, now } = useLoaderData<typeof loader>();
  const done = useActionData<typeof action>();
  const { previousUntil, rotatedAt } = key;
  const isExpired = key.expiresAt !== null && key.expiresAt <= now;
  const by = (
    <>
      {" "}
      by <bdi>{key.createdBy}</bdi>
    </>
  );
  return (
    <Page above={<Link to="/account/keys">API keys</Link>} title={<bdi>{key.name}</bdi>}>
      <Problem message={done?.problem} />
      {done?.text ? <ShownOnce name={key.name} text={done.text} /> : null}
      <Entry title="Key">
        <Facts
          rows={Object.entries({
            "Starts with": <code>deed_{key.id}_</code>,
            Permissions: scopesText(key.scopes),
            From: key.addresses.length > 0 ? <bdi>{key.addresses.join(", ")}</bdi> : "any address",
            Created: (
              <>
                <Moment at={key.createdAt} />
                {rotatedAt ? null : by}
              </>
            ),
            Rotated: rotatedAt && (
              <>
                <Moment at={rotatedAt} />
                {by}
              </>
            ),
            "Last used": <LastUse of={key} now={now} />,
            Expires: <End at={key.expiresAt} now={now} />,
          })}
        />
      </Entry>
      {isExpired ? null : (
        <Entry title="Rotate">
          <p>
            You get a new key that may do the same. The old one keeps working for {overlap} hours,
            so that you can replace it without a gap.
          </p>
          {previousUntil ? (
            <p>
              The key from before the last rotation works until <Moment at={previousUntil} />. If
              you rotate again, it stops working at once.
            </p>
          ) : null}
          <ActionButton
            intent="rotate"
            fields={{ rotatedAt: rotatedAt ?? "" }}
            busy="Rotating…"
            at={now}
          >
            Rotate the key
          </ActionButton>
        </Entry>
      )}
      <Entry title="Revoke">
        <p>
          Every program that uses this key stops working at once. This cannot be undone. If somebody
          else may have seen the key, revoke it.
        </p>
        <ActionButton intent="revoke" kind="danger">
          Revoke the key
        </ActionButton>
      </Entry>
    </Page>
  );
}
