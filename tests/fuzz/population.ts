import { txt } from "@deed/playground/records.ts";
import {
  Client,
  type Deed,
  keyOf,
  mailTo,
  type OpenClaim,
  openClaim,
  signIn,
} from "../support/deed.ts";
import { age } from "../support/ledger.ts";

/** By the prefix of its ids, or what else is in paths and queries. */
export type Kind = "dom" | "clm" | "ver" | "ntc" | "ses" | "key" | "slug" | "cursor";
export type Holder = {
  cookie: string;
  /** API keys: with every scope, with one each, and revoked ones or from before a rotation. */
  keys: { everything: string; narrow: string[]; ended: string[] };
  holds: Record<Kind, string[]>;
};

/** Accounts with something in every state, and the mails to an address that has not signed in. */
export type Population = {
  holders: [Holder, Holder];
  /** Sessions and API keys that a call may end: cookies of the sessions, and ids. */
  expendable: { cookies: string[]; sessions: string[]; keys: string[] };
  names: string[];
  /** `cookies`: of the browsers that requested the mails. */
  mailed: { emails: string[]; tokens: string[]; codes: string[]; cookies: string[] };
};

/** A zone whose servers refuse: reading it fails on our side, 502. */
const UNREADABLE = "refusing.com";

async function prove(deed: Deed, client: Client, zone: string): Promise<OpenClaim> {
  const claim = await openClaim(client, zone);
  deed.playground.addRecord(zone, txt(claim.name, claim.token));
  deed.playground.flushWitnesses();
  const { text } = await client.post(`/api/verifications/${claim.verificationId}/runs`);
  deed.playground.deleteRecord(zone, ({ data }) => String(data).includes(claim.token));
  if (!text.includes('"status":"proved"')) throw new Error(`${zone} was not proved: ${text}`);
  return claim;
}

const publish = (client: Client, { id }: OpenClaim) =>
  client.expect<{ slug: string }>(201, "POST", `/api/claims/${id}/proof_links`);

/** An unclaimed domain, and claims that are pending, read in vain, proved, canceled, expired and archived. */
async function settle(deed: Deed, client: Client, suffix: string): Promise<Holder> {
  await client.post("/api/domains", { domain: `idle${suffix}` });
  const open = await openClaim(client, `open${suffix}`);
  await client.post(`/api/claims/${open.id}/handoff`);
  const missing = await openClaim(client, "initech.com");
  await client.post(`/api/verifications/${missing.verificationId}/runs`);
  const canceled = await openClaim(client, `canceled${suffix}`);
  await client.post(`/api/claims/${canceled.id}/cancel`);
  const expired = await openClaim(client, `expired${suffix}`);
  age(deed.service, expired.id, 8);
  const proved = await prove(deed, client, "acme.com");
  const { slug } = await publish(client, proved);
  await client.post(`/api/claims/${proved.id}/proof_links/${slug}/revoke`);
  await publish(client, proved);
  const archived = await prove(deed, client, "hooli.com");
  await publish(client, archived);
  await client.post(`/api/domains/${archived.domainId}/archive`);
  const keys = await keysOf(client);
  return { cookie: client.cookie, keys, holds: await holdings(client) };
}

async function keysOf(client: Client): Promise<Holder["keys"]> {
  const everything = await keyOf(client);
  const narrow = [];
  for (const scope of ["zones:read", "domains:read", "domains:write", "webhooks:manage"])
    narrow.push((await keyOf(client, [scope])).key);
  const [revoked, rotated] = [await keyOf(client), await keyOf(client)];
  await client.delete(`/api/keys/${revoked.id}`);
  for (let i = 0; i < 2; i++) await client.post(`/api/keys/${rotated.id}/rotate`);
  return { everything: everything.key, narrow, ended: [revoked.key, rotated.key] };
}

const LISTS =
  "domains?limit=100 domains?archived=true domains?limit=2 claims notices account/sessions keys";

/** What the lists of an account name. */
async function holdings(client: Client): Promise<Holder["holds"]> {
  const textOf = async (path: string) => (await client.get(`/api/${path}`)).text;
  const lists = (await Promise.all(LISTS.split(" ").map(textOf))).join();
  const named = (words: RegExp, text = lists) => [...new Set(text.match(words))];
  const ids = (prefix: Kind) => named(new RegExp(`\\b${prefix}_[0-9a-z]{25,}`, "g"));
  const links = ids("clm").map((id) => textOf(`claims/${id}/proof_links`));
  return {
    ...{ dom: ids("dom"), clm: ids("clm"), ver: ids("ver") },
    ...{ ntc: ids("ntc"), ses: ids("ses"), key: ids("key") },
    slug: named(/(?<="slug":")\w+/g, (await Promise.all(links)).join()),
    cursor: named(/(?<="nextCursor":")[^"]+/g),
  };
}

/** Populates a service with large budgets. `round` keeps several populations apart. */
export async function populate(deed: Deed, round: number): Promise<Population> {
  const { playground, service } = deed;
  if (!playground.world.hasZone(UNREADABLE)) {
    playground.addZone({ name: UNREADABLE, nameservers: ["ns1.hosting.example"] });
    playground.setServerFault("ns1.hosting.example", "refused", UNREADABLE);
  }
  const suffix = `${round}.example`;
  const email = (who: string) => `${who}${round}@holder.example`;
  const mara = await signIn(service, email("mara"));
  const noor = await signIn(service, email("noor"));
  const holders: [Holder, Holder] = [
    await settle(deed, mara, suffix),
    await settle(deed, noor, `-two${suffix}`),
  ];
  // Reread, because the other account has since proved the same names.
  holders[0].holds = await holdings(mara);
  const guests = [];
  for (const who of ["guest", "guest", "visitor"]) guests.push(await signIn(service, email(who)));
  const [guest = mara] = guests;
  const browsers = [new Client(service.url), new Client(service.url)];
  const mails = [];
  for (const browser of browsers) mails.push(await mailTo(service, browser, email("invited")));
  return {
    holders,
    expendable: {
      cookies: guests.map(({ cookie }) => cookie),
      sessions: (await holdings(guest)).ses,
      keys: [(await keyOf(mara)).id, (await keyOf(noor)).id],
    },
    names: ["acme.com", "initech.com", "bücher.example", UNREADABLE, `idle${suffix}`, "com"],
    mailed: {
      // Deleting an account requires its address.
      emails: ["invited", "guest", "visitor"].map(email),
      tokens: mails.map(({ token }) => token),
      codes: mails.map(({ code }) => code),
      cookies: browsers.map(({ cookies }) => cookies),
    },
  };
}
