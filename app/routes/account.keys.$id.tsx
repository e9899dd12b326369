import { accountAction, accountLoader, oneCall, type RouteArgs } from "#app/api/page.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { keyEndpoints } from "#app/features/keys/api.server.ts";
import {
  endingKeys,
  keyToRevoke,
  listKeys,
  OVERLAP_HOURS,
} from "#app/features/keys/keys.server.ts";
import {
  EndingKeys,
  KeyEnd,
  LastUse,
  NewKeyEntry,
  newKeyOf,
  scopesText,
} from "#app/features/keys/view/api-keys.tsx";
import { worldOfKey } from "#app/http/caller/api-key.server.ts";
import { json } from "#app/remix/node.server.ts";
import { Link, useActionData, useLoaderData } from "#app/remix/react.ts";
import { ActionButton } from "#app/ui/button.tsx";
import { Confirm } from "#app/ui/confirm.tsx";
import { Dotted } from "#app/ui/name.tsx";
import { Entry, Facts, Page, type PageHandle, Problem, titled } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";

export const handle: PageHandle = { script: true };

export const loader = (args: RouteArgs) =>
  accountLoader(args, async ({ app, id, query, session: { accountId } }) => {
    const key = listKeys(app, accountId).find((one) => one.id === id);
    if (!key) throw new DeedError("key_not_found");
    const world = query.has("revoke") ? await worldOfKey(app, accountId, id) : null;
    const revoking = world && keyToRevoke(app, accountId, id, world);
    return { key, ending: endingKeys(app, accountId), overlap: OVERLAP_HOURS, revoking };
  });

/** For a second click, or a reload, which would end the key that programs still use. */
const ROTATED_MEANWHILE =
  "This key was rotated after this page was opened, so nothing was changed. If the new key is lost, rotate it again.";

export const action = (args: RouteArgs) =>
  accountAction(
    args,
    {
      confirm: oneCall(keyEndpoints.revokeKey, "/account/keys?revoked"),
      async rotate({ app, id, form, call, session }) {
        const key = listKeys(app, session.accountId).find((one) => one.id === id);
        if (key && (key.rotatedAt ?? "") !== (form.get("rotatedAt") ?? ""))
          return json({ made: null, problem: { message: ROTATED_MEANWHILE } }, { status: 409 });
        const { body } = await call(keyEndpoints.rotateKey);
        return { made: newKeyOf(body, app.settings.baseUrl), problem: null };
      },
    },
    ({ problem }) => ({ made: null, problem }),
  );

const listed = (urls: string[], sentence: string) =>
  urls[0] && (
    <>
      {sentence}
      {[...new Set(urls)].map((url) => (
        <p key={url}>
          <Dotted name={url} />
        </p>
      ))}
    </>
  );

export const meta = titled<typeof loader>((data) => `${data.key.name} · API keys`);

export default function KeyPage() {
  const { key, ending, overlap, revoking, now } = useLoaderData<typeof loader>();
  const done = useActionData<typeof action>();
  const { previousUntil, rotatedAt } = key;
  const isExpired = key.expiresAt !== null && key.expiresAt <= now;
  if (revoking)
    return (
      <Confirm
        above={<bdi>{key.name}</bdi>}
        title="Revoke this key?"
        consequences={[
          "Every program that uses it stops working at once. This cannot be undone.",
          listed(
            revoking.ending,
            "Webhooks that it set up will be disabled, and their events kept for a week. To keep one, rotate its secret first (Slack, Discord and ntfy have none):",
          ),
          listed(
            revoking.unknown,
            "Webhooks that it may have set up stay enabled, and whoever had the key may know their secrets. Delete those that are not yours, and rotate the secrets of the others:",
          ),
        ]}
        actionLabel="Revoke the key"
        back={`/account/keys/${key.id}`}
      />
    );
  return (
    <Page above={<Link to="/account/keys">API keys</Link>} title={<bdi>{key.name}</bdi>}>
      <Problem message={done?.problem?.message} />
      {done?.made ? <NewKeyEntry {...done.made} /> : null}
      <Entry title="Key">
        <EndingKeys keys={ending.filter(({ id }) => id === key.id)} now={now} />
        <Facts
          rows={Object.entries({
            "Starts with": <code>deed_{key.id}_</code>,
            Permissions: scopesText(key.scopes),
            "Works from":
              key.addresses.length > 0 ? <bdi>{key.addresses.join(", ")}</bdi> : "any address",
            Created: <Moment at={key.createdAt} />,
            Rotated: rotatedAt && <Moment at={rotatedAt} />,
            [rotatedAt ? "Rotated by" : "Created by"]: <bdi>{key.createdBy}</bdi>,
            "Last used": <LastUse {...key} now={now} />,
            Expires: <KeyEnd at={key.expiresAt} now={now} />,
          })}
        />
      </Entry>
      {isExpired ? null : (
        <Entry title="Rotate">
          <p>
            The new key has the same permissions
            {key.expiresAt === null ? "" : " and expires when this one does"}. The old one keeps
            working for {overlap} hours{key.expiresAt === null ? "" : ", or until it expires"}, so
            that you can replace it without a gap.
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
        <p>If somebody else may have seen the key, revoke it.</p>
        <Link to="?revoke" className="button">
          Revoke the key…
        </Link>
      </Entry>
    </Page>
  );
}
