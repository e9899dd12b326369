import { accountAction, accountLoader, type RouteArgs } from "#app/api/page.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { keyEndpoints } from "#app/features/keys/api.server.ts";
import { NewKeyEntry } from "#app/features/keys/view/api-keys.tsx";
import { peopleEndpoints } from "#app/features/people/api.server.ts";
import { creationsOf, listPeople } from "#app/features/people/people.server.ts";
import { TakeOver } from "#app/features/people/view/people.tsx";
import { webhookEndpoints } from "#app/features/webhooks/api.server.ts";
import { NewSecret } from "#app/features/webhooks/view/webhooks.tsx";
import type { App } from "#app/http/app.server.ts";
import type { Session } from "#app/http/caller/session.server.ts";
import { Link, useActionData, useLoaderData } from "#app/remix/react.ts";
import { Confirm } from "#app/ui/confirm.tsx";
import { Page, Problem, titled } from "#app/ui/page.tsx";

/** The query parameter with which the page shows the new secrets after the person was removed. */
const REMOVED = "removed";

const personToRemove = (app: App, session: Session, id: string) =>
  listPeople(app, session).people.find((one) => one.id === id && !one.isFirst) ?? null;

export const loader = (args: RouteArgs) =>
  accountLoader(args, ({ app, id, query, session }) => {
    const person = personToRemove(app, session, id);
    if (!person && !query.has(REMOVED)) throw new DeedError("person_not_found");
    return { person, ...creationsOf(app.db, person?.id ?? "", app.clock()) };
  });

/** Rotates the chosen keys and webhooks, so that they stay, then removes the person and the rest. */
export function action(args: RouteArgs) {
  const keys: { name: string; key: string }[] = [];
  const webhooks: { url: string; secret: string }[] = [];
  return accountAction(
    args,
    async ({ app, id, form, call, session }) => {
      const keep = form.getAll("keep");
      if (personToRemove(app, session, id)?.isYou === false) {
        const creations = creationsOf(app.db, id, app.clock());
        const kept = ({ id }: { id: string }) => keep.includes(id);
        for (const { id } of creations.keys.filter(kept))
          keys.push((await call(keyEndpoints.rotateKey, { params: { id } })).body);
        for (const { id } of creations.webhooks.filter(kept)) {
          const { body } = await call(webhookEndpoints.rotateWebhookSecret, { params: { id } });
          if (body.kind === "deed") webhooks.push(body);
        }
      }
      await call(peopleEndpoints.removePerson);
      if (keys.length + webhooks.length > 0) return { keys, webhooks, problem: null };
      return id === session.personId ? "/" : "/account/people";
    },
    ({ problem }) => ({ keys, webhooks, problem }),
  );
}

export const meta = titled<typeof loader>(({ person }) =>
  person?.isYou ? "Leave account" : person ? `Remove ${person.email}` : "No longer in this account",
);

export default function RemovePage() {
  const { person, ...made } = useLoaderData<typeof loader>();
  const done = useActionData<typeof action>();
  const { keys = [], webhooks = [] } = done ?? {};
  const content = (
    <>
      {keys.map(({ name, key }) => (
        <NewKeyEntry key={key} name={name} text={key} />
      ))}
      {webhooks.map(({ url, secret }) => (
        <NewSecret key={secret} secret={secret}>
          This is the new secret of <bdi className="mono">{url}</bdi>. For a day, posts are signed
          with the previous secret too.
        </NewSecret>
      ))}
    </>
  );
  if (!person)
    return (
      <Page above={<Link to="/account/people">People</Link>} title="No longer in this account">
        <Problem message={done?.problem?.message} />
        {content}
      </Page>
    );
  const { email, isYou } = person;
  const names = made.keys.map(({ name }) => name).join(", ");
  const urls = made.webhooks.map(({ url }) => url).join(", ");
  return (
    <Confirm
      above={<bdi>{email}</bdi>}
      title={isYou ? "Leave this account?" : "Remove this person?"}
      consequences={[
        isYou
          ? "You will be signed out everywhere and lose access to this account."
          : "They will be signed out everywhere at once and lose access to this account.",
        "Domains, claims, proofs and hand-off links stay with the account.",
        `Invitations that ${isYou ? "you" : "they"} sent will stop working.`,
        isYou && names !== "" && `Your API keys will stop working: ${names}.`,
        isYou && urls !== "" && `Your webhooks will be disabled: ${urls}.`,
        isYou &&
          names + urls !== "" &&
          "To keep one, have another person rotate the key, or the secret of the webhook, first. A chat has no secret: they can enable its webhook afterwards.",
        isYou
          ? "To come back, you need a new invitation."
          : "To let them back in, invite them again.",
      ]}
      actionLabel={isYou ? "Leave the account" : "Remove this person"}
      action={`?${REMOVED}`}
      back="/account/people"
    >
      {isYou ? null : <TakeOver {...made} />}
      {content}
    </Confirm>
  );
}
