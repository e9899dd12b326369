import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Provider } from "@deed/dns/names.ts";
import type { Registration } from "@deed/dns/rdap/answer.ts";
import { DIAGNOSIS_CODES, type DiagnosisCode } from "@deed/dns/verdict/diagnosis.ts";
import { eq } from "drizzle-orm";
import { newId } from "#app/core/ids.server.ts";
import { claimPath } from "#app/core/names/prove-path.ts";
import { accountForEmail, joinAccount, personOf } from "#app/core/testing/accounts.ts";
import { disableAccount } from "#app/features/admin/accounts.server.ts";
import { cancelClaim } from "#app/features/claims/claims.server.ts";
import { createReminders, expireOverdueOfAccount } from "#app/features/claims/expiry.server.ts";
import type { Claim } from "#app/features/claims/resources.ts";
import { archiveDomain } from "#app/features/domains/domains.server.ts";
import { reserveMailbox, stopMails } from "#app/features/handoffs/handoff-mails.server.ts";
import { createHandoff } from "#app/features/handoffs/handoffs.server.ts";
import { createKey } from "#app/features/keys/keys.server.ts";
import { markNoticesRead } from "#app/features/notices/notices.server.ts";
import { invite } from "#app/features/people/invitations.server.ts";
import { publishProof, revokeProofLink } from "#app/features/proofs/proofs.server.ts";
import { signerOf } from "#app/features/receipts/signer.server.ts";
import { addWebhook } from "#app/features/webhooks/webhooks.server.ts";
import { hashSecret, newSecret } from "#app/http/caller/cookies.server.ts";
import { type Db, openDatabase } from "#db/client.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { accountEvents, apiKeys, people, receipts, registrations, sessions } from "#db/schema.ts";
import { newFolder } from "../../support/service.ts";
import { seedCustomers, seedReferences } from "./customers.ts";
import {
  absent,
  deniedByOne,
  found,
  foundByMost,
  foundOnHalf,
  foundSigned,
  MISTAKES,
  type Observe,
  partial,
  silent,
  thirteen,
  undelegated,
  unreachable,
} from "./observations.ts";
import { DAY, HOUR, MINUTE, Simulation } from "./simulation.ts";
import { seedWatches } from "./watches.ts";
import { seedWebhooks } from "./webhooks.ts";

/** Paths of the seeded resources, session tokens of the accounts, and when it was. */
export type Seeded = {
  at: number;
  sessions: Record<"holder" | "newcomer" | "team" | "operator" | "hooked" | "watcher", string>;
  paths: Record<string, string>;
};

const AGENTS = {
  desk: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36",
  phone: "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Safari/604.1",
};

const PROVIDER_OF: Record<DiagnosisCode, Provider> = {
  domain_appended: "godaddy",
  record_at_apex: "namecheap",
  record_on_www: "vercel",
  value_formatted: "godaddy",
  expired_token: "cloudflare",
  foreign_token: "namecheap",
  no_matching_record: "google-domains",
  cname_conflict: "cloudflare",
  record_absent: "other",
  not_published: "godaddy",
  negative_cache: "route53",
  servfail: "cloudflare",
  lame_delegation: "other",
};

const pathOf = ({ url }: { url: string }) => new URL(url).pathname;

export const OPERATOR = "operator@harbour.example";

/** 234 octets: the longest name a claim can be opened on. */
const LONGEST_NAME = `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(34)}.example`;

type Reads = [Observe, until: number][];

/** The holder's claims by key: name, opening, and what reads saw and until when, in milliseconds before now. */
const CLAIMS: Record<string, [name: string, opened: number, ...reads: Reads]> = {
  first_check: ["lantern.example", 0],
  waiting: ["acme.com", 5 * MINUTE, [absent("godaddy"), MINUTE]],
  nameserver_sync: [
    "syncing.example",
    20 * MINUTE,
    [absent("godaddy"), 10 * MINUTE],
    [partial("godaddy"), 0],
  ],
  resolvers_next: ["next-resolvers.example", 20 * MINUTE, [deniedByOne("route53"), 0]],
  nameserver_sync_silent: ["quiet-servers.example", 20 * MINUTE, [silent("godaddy"), 0]],
  second_read: ["second-read.example", 40_000, [foundOnHalf("godaddy"), 0]],
  thirteen: [
    "thirteen.example",
    30 * MINUTE,
    [absent("other"), 25 * MINUTE],
    [thirteen("other"), 0],
  ],
  not_published_silent: ["silent-servers.example", 3 * HOUR, [silent("godaddy"), 0]],
  not_published_views: ["views.example", 3 * HOUR, [MISTAKES.negative_cache("route53"), 0]],
  retry: ["retrying.example", 5 * MINUTE, [unreachable("other"), 0]],
  lame_delegation_held: ["held.example", HOUR, [undelegated, 0]],
  six_days: [
    "patience.example",
    6 * DAY,
    [absent("route53"), 5.5 * DAY],
    [unreachable("route53"), 5.2 * DAY],
    [MISTAKES.value_formatted("route53"), 3 * DAY],
    [absent("route53"), 0],
  ],
  proved: [
    "harbour.example",
    30 * DAY,
    [absent("cloudflare"), 30 * DAY - 40 * MINUTE],
    [found("cloudflare"), 29 * DAY],
  ],
  idn: ["bücher-für-alle.example", 3 * DAY, [found("other"), 2 * DAY]],
  rtl: ["ספרים-ישנים.example", 12 * DAY, [found("namecheap"), 11 * DAY]],
  longest: [LONGEST_NAME, 2 * HOUR, [MISTAKES.record_absent("other"), 0]],
  half: ["half.example", 12 * DAY, [foundOnHalf("namecheap"), 11 * DAY]],
  signed: ["signed.example", 12 * DAY, [foundSigned("cloudflare"), 11 * DAY]],
  most: ["most.example", 12 * DAY, [foundByMost("route53"), 11 * DAY]],
  early: ["early.example", 32 * DAY, [found("other"), 31 * DAY]],
  shelved: ["shelved.example", 15 * DAY, [found("other"), 14 * DAY]],
  expired: ["tides.example", 9 * DAY, [absent("namecheap"), 2 * DAY]],
  expired_second_read: [
    "too-late.example",
    9 * DAY,
    [absent("godaddy"), 2 * DAY + MINUTE],
    [foundOnHalf("godaddy"), 2 * DAY],
  ],
  broken: ["broken.example", HOUR, [absent("other"), 0]],
};

/** Set-up of a run: seeds the database that each worker copies. */
export default async function seedOnce(): Promise<void> {
  const folder = newFolder();
  const db = openDatabase(join(folder, "deed.db"));
  migrateDatabase(db);
  const seeded = await seed(db, Date.now());
  db.$client.pragma("wal_checkpoint(TRUNCATE)");
  db.$client.close();
  writeFileSync(join(folder, "seeded.json"), JSON.stringify(seeded));
  process.env.GALLERY_SEED = folder;
}

/** Fills a database with every state that pages can show, as of `now`. */
async function seed(db: Db, now: number): Promise<Seeded> {
  db.$client.pragma("synchronous = OFF");
  const simulation = new Simulation(db);
  const { ctx } = simulation;
  const paths: Record<string, string> = {};
  const watcher = await simulation.account("lea@lighthouse.example", now - 60 * DAY);
  Object.assign(paths, await seedWatches(simulation, watcher, now));
  const holder = await simulation.account("maria@harbour.example", now - 40 * DAY);
  const newcomer = await simulation.account("nobody@harbour.example", now);
  const rival = await simulation.account("joao@rival.example", now - 40 * DAY);
  const story = async (
    key: string,
    [name, opened, ...reads]: [string, number, ...Reads],
  ): Promise<Claim> => {
    const claim = await simulation.claim(holder, name, now - opened);
    for (const [observe, until] of reads) await simulation.read(claim, observe, now - until);
    paths[key] = `/domains/${claim.domainId}`;
    return claim;
  };

  for (const code of DIAGNOSIS_CODES) {
    const name = `${code.replaceAll("_", "-")}.example`;
    const provider = PROVIDER_OF[code];
    const more: { previous?: string } = {};
    if (code === "expired_token") {
      const before = await story(code, [name, 2 * DAY]);
      await cancelClaim(ctx, holder, before.id);
      more.previous = before.token;
    }
    // not_published needs an unchanged serial since the first read, negative_cache a recent read without the record.
    const since = code === "negative_cache" ? 20 * MINUTE : 5 * HOUR - 20 * MINUTE;
    const first = code === "not_published" ? MISTAKES[code](provider) : absent(provider);
    await story(code, [name, 5 * HOUR, [first, since], [MISTAKES[code](provider, more), 0]]);
  }

  const claims: Record<string, Claim> = {};
  const { signer } = ctx;
  for (const [key, each] of Object.entries(CLAIMS)) {
    // Of this receipt, the key was replaced.
    ctx.signer = key === "proved" ? signerOf("4".repeat(64)) : signer;
    claims[key] = await story(key, each);
  }
  const { proved, early, shelved, broken } = claims as Record<string, Claim>;
  if (!proved || !early || !shelved || !broken) throw new Error("a claim is missing");
  registerHeld(db, "held.example", now);
  // In a format that no service writes: the page that reads it fails with a server error.
  db.$client.exec(`update attempt_evidence set evidence = '{}' where attempt_id in
    (select id from attempts where verification_id = '${broken.verificationId}')`);
  // As in a version that issued no receipts.
  db.delete(receipts).where(eq(receipts.claimId, early.id)).run();

  simulation.now = now - 21 * DAY;
  const old = await publishProof(ctx, holder, proved.id);
  paths.proof_revoked = `/p/${old.slug}`;
  await revokeProofLink(ctx, holder, proved.id, old.slug);
  simulation.now = now - 2 * DAY;
  for (const key of ["proved", "rtl", "half", "signed", "most", "early", "shelved"])
    paths[`proof_${key}`] = pathOf(await publishProof(ctx, holder, claims[key]?.id ?? ""));
  await archiveDomain(ctx, holder, shelved.domainId);
  const rivals = await simulation.claim(rival, "harbour.example", now - 10 * DAY);
  await simulation.read(rivals, found("cloudflare"), now - 9 * DAY);

  const again = await story("history", ["history.example", 25 * DAY]);
  await cancelClaim(ctx, holder, again.id);
  paths.earlier = claimPath(again.domainId, again.id);
  const ended = await story("canceled", ["canceled.example", 3 * HOUR]);
  await cancelClaim(ctx, holder, ended.id);
  await story("history", ["history.example", 24 * DAY, [absent("vercel"), 17 * DAY]]);
  simulation.now = now;
  await expireOverdueOfAccount(ctx, holder);
  await story("history", ["history.example", 10 * DAY, [found("vercel"), 9 * DAY]]);
  await story("history", ["history.example", 2 * HOUR, [absent("vercel"), 0]]);
  Object.assign(paths, {
    domain_history: `/domains/${again.domainId}`,
    domain_proved: `/domains/${proved.domainId}`,
    domain_unclaimed: `/domains/${await simulation.domain(holder, "unclaimed.example", now - DAY)}`,
  });

  const handed = async (how: string, opened: number, ...reads: Reads) => {
    const claim = await story("handed", [`handed-${how}.example`, opened]);
    paths[`handoff_${how}`] = pathOf(await createHandoff(ctx, holder, claim.id));
    for (const [observe, until] of reads) await simulation.read(claim, observe, now - until);
  };
  await handed("expired", 8 * DAY);
  await handed("proved", DAY, [found("other"), 0]);
  await handed("open", 5 * HOUR, [MISTAKES.domain_appended("godaddy"), 0]);
  for (const state of ["open", "stopped"]) {
    const slug = (await reserveMailbox(ctx, `dns-${state}@agency.example`)) ?? "";
    paths[`mails_${state}`] = `/m/${slug}`;
    if (state === "stopped") await stopMails(ctx, slug);
  }
  paths.handed_by_mail = `${paths.handed}?mailed=d•••@agency.example`;
  simulation.now = now;
  await expireOverdueOfAccount(ctx, holder);
  await createReminders(ctx);
  await markNoticesRead(ctx, holder, now - 11 * DAY);

  const hooked = await simulation.account("dev@hooks.example", now - 60 * DAY);
  const dev = personOf(await accountForEmail(ctx, "dev@hooks.example"));
  const work = async () => {
    await simulation.claim(hooked, "earlier.example", now - 4 * DAY);
    const claim = await simulation.claim(hooked, "hooked.example", now - HOUR);
    await simulation.read(claim, MISTAKES.domain_appended("godaddy"), now - HOUR);
    await simulation.read(claim, found("godaddy"), now - 50 * MINUTE);
  };
  Object.assign(paths, await seedWebhooks(ctx, dev, now, work));
  simulation.now = now;

  const operator = await simulation.account(OPERATOR, now - 400 * DAY);
  const gone = await simulation.account("gone@rival.example", now - 9 * DAY);
  await disableAccount(ctx, gone);
  paths.disabled = `/admin/accounts/${gone}`;
  paths.disable = `/admin/accounts/${rival}`;
  const team = await simulation.account("dns@team.example", now - 60 * DAY);
  const acting = db.select().from(people).where(eq(people.accountId, team)).get();
  if (!acting) throw new Error("the account has no people");
  const from = { accountId: team, personId: acting.id, email: acting.email };
  let colleague = from;
  for (let index = 0; index < 19; index++) {
    simulation.now = now - (20 - index) * DAY;
    const token = newSecret();
    await invite(ctx, from, `colleague${index}@team.example`, hashSecret(token));
    colleague = personOf(await joinAccount(ctx, hashSecret(token)));
  }
  simulation.now = now;
  await addWebhook(ctx, colleague, {
    url: "https://hooks.team.example/deed",
    events: ["claim.proved"],
  });
  paths.colleague = `/account/people/${colleague.personId}`;
  const token = newSecret();
  await invite(ctx, from, "kim@elsewhere.example", hashSecret(token));
  paths.invitation = `/sign-in/invitation?token=${token}`;

  for (const [name, scopes, usedFrom] of [
    ["Deploys", ["domains:read"], null],
    ["Customer domains, production", ["domains:read", "domains:write"], "203.0.113.7"],
  ] as const) {
    const createdAt = now - 21 * DAY;
    simulation.now = createdAt;
    const id = newId("key", createdAt);
    await createKey(ctx, from, {
      id,
      name,
      scopes: [...scopes],
      addresses: usedFrom ? ["203.0.113.0/24", "2001:db8::/32"] : [],
      expiresAt: usedFrom ? now + 9 * DAY : null,
      secretHash: hashSecret(newSecret()),
    });
    if (!usedFrom) continue;
    paths.key = `/account/keys/${id}`;
    const used = { lastUsedAt: now - 3 * HOUR, lastUsedFrom: usedFrom };
    db.update(apiKeys).set(used).where(eq(apiKeys.id, id)).run();
  }

  Object.assign(paths, await seedCustomers(simulation, from, now));
  simulation.now = now;

  Object.assign(paths, await seedReferences(simulation, team, now));
  simulation.freeze(now);
  // As sessions write it: to the hour, and not after an account was disabled.
  db.$client.exec(`update people set last_seen_at = ${HOUR} * (iif(account_id in
    (select id from accounts where disabled_at is not null), created_at,
    max(created_at, ${now - 2 * DAY})) / ${HOUR})`);
  startSession(db, holder, now - 3 * DAY, AGENTS.phone);
  const accounts = { holder, newcomer, team, operator, hooked, watcher };
  const sessions = Object.fromEntries(
    Object.entries(accounts).map(([who, id]) => [who, startSession(db, id, now, AGENTS.desk)]),
  ) as Seeded["sessions"];
  // The log is listed as it was written, and what happened here was not written in order.
  db.$client.exec(`update account_events set id = 1000000 + told.place from
    (select id, row_number() over (order by at, id) as place from account_events) as told
    where told.id = account_events.id`);
  return { sessions, paths, at: now };
}

/** The registry's answer that the registrar has put a name on hold. */
function registerHeld(db: Db, name: string, now: number): void {
  const registration: Registration = {
    ...{ registeredAt: null, expiresAt: now + 100 * DAY, delegationSigned: false },
    statuses: ["client hold", "client transfer prohibited"],
    nameservers: ["ns1.hosting.example", "ns2.hosting.example"],
  };
  const row = { name, askedAt: now, nextAt: now + HOUR, answeredAt: now };
  const told = { ...row, registration: JSON.stringify(registration) };
  db.insert(registrations).values(told).run();
}

function startSession(db: Db, accountId: string, at: number, userAgent: string): string {
  const token = newSecret();
  const person = db.select().from(people).where(eq(people.accountId, accountId)).get();
  const times = { createdAt: at, lastUsedAt: at, expiresAt: at + 30 * DAY };
  const row = { id: newId("ses", at), personId: person?.id ?? "", tokenHash: hashSecret(token) };
  db.insert(sessions)
    .values({ ...row, userAgent, ...times })
    .run();
  const told = {
    accountId,
    kind: "signed_in_by_link",
    at,
    email: person?.email,
    userAgent,
  } as const;
  db.insert(accountEvents).values(told).run();
  db.update(people)
    .set({ lastSeenAt: at - (at % HOUR) })
    .where(eq(people.id, row.personId))
    .run();
  return token;
}
