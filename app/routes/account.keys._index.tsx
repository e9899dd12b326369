import { accountAction, accountLoader, type RouteArgs } from "#app/api/page.server.ts";
import { DAY, iso } from "#app/core/time.ts";
import { keyEndpoints } from "#app/features/keys/api.server.ts";
import { endingKeys, lastRevokedKey, listKeys } from "#app/features/keys/keys.server.ts";
import {
  EndingKeys,
  KeyForm,
  KeyTable,
  LIFETIMES,
  NewKeyEntry,
  newKeyOf,
  type TypedKey,
} from "#app/features/keys/view/api-keys.tsx";
import { getApp } from "#app/http/app.server.ts";
import { Link, useActionData, useLoaderData } from "#app/remix/react.ts";
import { Entry, Page, type PageHandle } from "#app/ui/page.tsx";

export const handle: PageHandle = { script: true };

export const loader = (args: RouteArgs) =>
  accountLoader(args, ({ app, query, session: { accountId } }) => ({
    revoked: query.has("revoked") && lastRevokedKey(app, accountId),
    keys: listKeys(app, accountId),
    ending: endingKeys(app, accountId),
  }));

/** When a key with this form value ends; null for never, or for a value that the form does not have. */
const endIn = (days: string): string | null =>
  days !== "0" && Object.hasOwn(LIFETIMES, days)
    ? iso(getApp().clock() + Number(days) * DAY)
    : null;

const typedKey = (form: URLSearchParams): TypedKey => ({
  name: form.get("name") ?? "",
  scopes: form.getAll("scopes"),
  days: form.get("days") ?? "",
  addresses: form.get("addresses") ?? "",
  test: form.has("test"),
});

export const action = (args: RouteArgs) =>
  accountAction(
    args,
    async ({ app, form, call }) => {
      const { name, scopes, days, test, ...typed } = typedKey(form);
      const addresses = typed.addresses.split(/[\s,]+/).filter(Boolean);
      const body = { name, scopes, test, addresses, expiresAt: endIn(days) };
      const { body: made } = await call(keyEndpoints.createKey, { body });
      return { made: newKeyOf(made, app.settings.baseUrl), typed: null, problem: null };
    },
    ({ problem }, form) => {
      const typed = form && typedKey(form);
      return { made: null, typed, problem: sentenceOf(problem.message, typed) };
    },
  );

/** The API's sentences name JSON fields, so the form has its own sentences. */
function sentenceOf(message: string, typed: { name: string; scopes: string[] } | null): string {
  if (typed?.scopes.length === 0) return "Choose at least one thing that the key may do.";
  if (/gate:ask/.test(message)) return "A key for a proxy may have no other permission.";
  if (typed?.name.trim() === "") return "Give the key a name.";
  return /"addresses/.test(message)
    ? "Type addresses as 203.0.113.7 or 203.0.113.0/24, one per line, 20 at most."
    : message;
}

export const meta = () => [{ title: "API keys · Deed" }];

export default function KeysPage() {
  const { keys, ending, revoked, now } = useLoaderData<typeof loader>();
  const done = useActionData<typeof action>();
  return (
    <Page
      above={<Link to="/account">Account</Link>}
      title="API keys"
      lead="API keys let programs use this account. Everyone in the account can see all keys, rotate them and revoke them."
    >
      {revoked && !done ? (
        <p role="status" className="after">
          The key “<bdi>{revoked}</bdi>” was revoked.
        </p>
      ) : null}
      {done?.made ? <NewKeyEntry {...done.made} /> : null}
      <Entry title="Keys">
        <EndingKeys keys={ending} now={now} />
        {keys.length > 0 ? <KeyTable keys={keys} now={now} /> : <p>No keys yet.</p>}
        <p className="soft">
          A program sends its key as <code>Authorization: Bearer</code> with each call. See{" "}
          <Link to="/docs/integrate">Build on Deed</Link>, or{" "}
          <Link to="/docs/test-mode">Test mode</Link> for test keys. A key stops working when the
          person who created or last rotated it leaves the account.
        </p>
      </Entry>
      <Entry title="New key" id="create">
        <KeyForm
          key={done?.made?.text}
          typed={done?.typed ?? undefined}
          problem={done?.problem ?? undefined}
          at={now}
        />
      </Entry>
    </Page>
  );
}
