import type { Scope } from "#app/core/resources.ts";
import type { ApiKey } from "#app/features/keys/resources.ts";
import { Form, Link } from "#app/remix/react.ts";
import { Button } from "#app/ui/button.tsx";
import { Value } from "#app/ui/copy.tsx";
import { Choice, Field } from "#app/ui/field.tsx";
import { Entry, Fold, Notice, Problem } from "#app/ui/page.tsx";
import { Table } from "#app/ui/table.tsx";
import { Moment } from "#app/ui/time.tsx";

const SCOPES: [Scope, string][] = [
  ["domains:read", "Read domains, claims and proofs"],
  ["domains:write", "Add domains, prove them, publish proofs"],
  ["webhooks:manage", "Add and change webhooks, and see their secrets"],
  ["zones:read", "Look up any domain’s DNS"],
  ["gate:ask", "Tell a proxy whether a domain can be relied on"],
];

const FOR_PROOFS = ["domains:read", "domains:write"];

/** Days until a new key expires; 0 means never. */
export const LIFETIMES: Record<string, string> = {
  0: "Never",
  30: "In 30 days",
  90: "In 90 days",
  365: "In a year",
};

export const scopesText = (scopes: readonly Scope[]): string =>
  SCOPES.filter(([scope]) => scopes.includes(scope))
    .map(([, text], index) => (index === 0 ? text : text.charAt(0).toLowerCase() + text.slice(1)))
    .join("; ");

/** `gate`: the address for a proxy to ask with this key; null, or left out, if the key may not. */
type NewKey = { name: string; text: string; gate?: string | null };

export function newKeyOf({ name, key, scopes }: ApiKey & { key: string }, baseUrl: string): NewKey {
  const gate = scopes.includes("gate:ask") ? `${baseUrl}/api/gate/${key}` : null;
  return { name, text: key, gate };
}

export function NewKeyEntry({ name, text, gate }: NewKey) {
  return (
    <Entry title="Your new key">
      <Notice tone="waiting">
        <p role="status">
          This is the key “<bdi>{name}</bdi>”. Copy it now: it is not shown again.
        </p>
        <Value text={text} what="the key" />
        {gate ? (
          <>
            <p>
              Your proxy calls this address. Keep it as secret as the key.{" "}
              <Link to="/docs/integrate/caddy">How to do this with Caddy</Link>
            </p>
            <Value text={gate} what="the address" />
          </>
        ) : null}
      </Notice>
    </Entry>
  );
}

export const LastUse = ({ lastUsedAt, lastUsedFrom, now }: ApiKey & { now: string }) =>
  lastUsedAt ? (
    <>
      <Moment at={lastUsedAt} now={now} form="ago" /> from <bdi>{lastUsedFrom}</bdi>
    </>
  ) : (
    <span className="whole">not used yet</span>
  );

export function KeyEnd({ at, now }: { at: string | null; now: string }) {
  if (at === null) return "never";
  return at <= now ? <strong>expired</strong> : <Moment at={at} form="day" />;
}

export function EndingKeys({ keys, now }: { keys: ApiKey[]; now: string }) {
  return keys.map(({ id, name, expiresAt }) => (
    <Notice key={id} tone="waiting" title="An API key expires soon">
      <p>
        <Link to={`/account/keys/${id}`}>
          <bdi>{name}</bdi>
        </Link>{" "}
        expires <Moment at={expiresAt ?? now} now={now} form="ago" />. Before then,{" "}
        <Link to="/account/keys#create">create another</Link> and use it, or the program stops
        working.
      </p>
    </Notice>
  ));
}

export function KeyTable({ keys, now }: { keys: ApiKey[]; now: string }) {
  return (
    <Table
      rows={keys}
      columns={{
        Key: ({ id, name }) => (
          <Link to={`/account/keys/${id}`}>
            <bdi>{id.startsWith("test_") ? `${name} (test)` : name}</bdi>
          </Link>
        ),
        Permissions: ({ scopes }) => scopesText(scopes),
        "Last used": (key) => <LastUse {...key} now={now} />,
        Expires: ({ expiresAt }) => <KeyEnd at={expiresAt} now={now} />,
      }}
    />
  );
}

export type TypedKey = Record<"name" | "days" | "addresses", string> & {
  scopes: string[];
  test: boolean;
};
type KeyFormProps = { typed?: TypedKey | undefined; problem?: string | undefined; at: string };

/** `typed` and `problem` come from a refused try, `at` is when the page was served. */
export function KeyForm({
  typed = { name: "", scopes: FOR_PROOFS, days: "0", addresses: "", test: false },
  problem,
  at,
}: KeyFormProps) {
  return (
    <Form method="post" className="stack" replace preventScrollReset>
      <input type="hidden" name="at" value={at} />
      <Problem message={problem} />
      <Field
        label="Name"
        name="name"
        hint="What uses the key, so that everyone in this account knows."
        defaultValue={typed.name}
        autoComplete="off"
        required
        maxLength={80}
      />
      <fieldset>
        <legend>Permissions</legend>
        {SCOPES.map(([scope, text]) => (
          <p key={scope}>
            <Choice name="scopes" value={scope} defaultChecked={typed.scopes.includes(scope)}>
              {text} <code className="soft">{scope}</code>
            </Choice>
          </p>
        ))}
      </fieldset>
      <fieldset>
        <legend>Test key</legend>
        <p>
          <Choice name="test" value="yes" defaultChecked={typed.test}>
            The key works only in <a href="/docs/test-mode">test mode</a>, never with real domains
          </Choice>
        </p>
      </fieldset>
      <Field label="Expires" name="days" options={LIFETIMES} defaultValue={typed.days} />
      <Fold title="Restrict to IP addresses" open={typed.addresses !== ""}>
        <Field
          label="IP addresses or networks, one per line"
          name="addresses"
          rows={3}
          isMachineText
          hint="Such as 203.0.113.7 or 2001:db8::/32. Leave it empty for any address."
          defaultValue={typed.addresses}
        />
      </Fold>
      <Button kind="primary">Create a key</Button>
    </Form>
  );
}
