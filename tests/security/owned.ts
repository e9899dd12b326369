import type { Target } from "../contract/kit.ts";
import { newName } from "../contract/kit.ts";
import type { Client } from "../support/client.ts";
import { inviteTo } from "../support/invitation.ts";
import { webhookOf } from "../support/webhook.ts";

/** Ids of one account: one of each kind, all belonging to one proved domain with a public link. */
export type Owned = Record<
  | "domain"
  | "claim"
  | "verification"
  | "notice"
  | "session"
  | "person"
  | "invitation"
  | "key"
  | "webhook"
  | "slug",
  string
>;

/** A new account that has one of everything. `dataDir` holds the database. */
export async function ownerOfEverything(
  target: Target,
  dataDir = target.own.service.dataDir,
): Promise<{ client: Client; owned: Owned; accountId: string }> {
  const client = await target.signIn();
  const zone = newName();
  target.own.playground.addZone({ name: zone, nameservers: ["ns1.hosting.example"] });
  const claim = await target.prove(client, zone);
  const link = await client.post(`/api/claims/${claim.id}/proof_links`);
  const session = (await client.get("/api/account/sessions")).body as {
    sessions: { id: string }[];
  };
  const account = (await client.get("/api/account")).body as { id: string };
  const noticed = (await client.get("/api/notices")).body as { notices: { id: string }[] };
  const people = (await client.get("/api/people")).body as { people: { id: string }[] };
  const invitation = await inviteTo(target, client);
  const key = await client.post("/api/keys", { name: "CI", scopes: ["domains:read"] });
  const webhook = await webhookOf({ dataDir }, client);
  return {
    client,
    accountId: account.id,
    owned: {
      domain: claim.domainId,
      claim: claim.id,
      verification: claim.verificationId,
      notice: noticed.notices[0]?.id ?? "",
      session: session.sessions[0]?.id ?? "",
      person: people.people[0]?.id ?? "",
      invitation: invitation.id,
      key: String((key.body as { id: unknown }).id),
      webhook: webhook.id,
      slug: String((link.body as { slug: unknown }).slug),
    },
  };
}
