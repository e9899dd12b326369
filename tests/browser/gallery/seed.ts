import type { Provider } from "@deed/dns/names.ts";
import { DIAGNOSIS_CODES, type DiagnosisCode } from "@deed/dns/verdict/diagnosis.ts";
import { eq } from "drizzle-orm";
import { personOf } from "#app/core/accounts/accounts.server.ts";
import { createNotice } from "#app/core/feed/notice-writer.server.ts";
import { newId } from "#app/core/ids.server.ts";
import { accountForEmail, joinAccount } from "#app/core/testing/accounts.ts";
import { disableAccount } from "#app/features/admin/disabling.server.ts";
import { cancelClaim } from "#app/features/claims/claims.server.ts";
import { expireOverdueOfAccount } from "#app/features/claims/expiry.server.ts";
import type { Claim } from "#app/features/claims/resources.ts";
import { archiveDomain } from "#app/features/domains/archive.server.ts";
import { createHandoff, revokeHandoff } from "#app/features/handoffs/handoffs.server.ts";
import { createKey } from "#app/features/keys/keys.server.ts";
import { invite } from "#app/features/people/invitations.server.ts";
import { publishProof, revokeProofLink } from "#app/features/proofs/proofs.server.ts";
import { addWebhook } from "#app/features/webhooks/webhooks.server.ts";
import { hashSecret, newSecret } from "#app/http/caller/cookies.server.ts";
import { type Db, write } from "#db/client.ts";
import {
  apiKeys,
  attemptEvidence,
  attempts,
  NOTICE_KINDS,
  people,
  receipts,
  sessions,
  verifications,
} from "#db/schema.ts";
import { seedCustomers } from "./customer.ts";
import { registerHeld, undelegated } from "./held.ts";
import { insertManyDomains } from "./many-domains.ts";
import {
  absent,
  found,
  foundByMost,
  foundOnHalf,
  foundSigned,
  MISTAKES,
  partial,
  silent,
  thirteen,
  unreachable,
} from "./observations.ts";
import { seedReferences } from "./references.ts";
import { DAY, HOUR, MINUTE, Simulation } from "./simulation.ts";
import { seedWatches } from "./watches.ts";
import { seedWebhooks } from "./webhooks.ts";

/** Paths of the seeded resources, and the session tokens of the three accounts. */
export type Seeded = {
  sessions: Record<
    "holder" | "newcomer" | "registry" | "team" | "operator" | "hooked" | "watcher",
    string
  >;
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

/** The address that sees the pages under Admin. */
export const OPERATOR = "operator@harbour.example";

/** 234 octets: the longest name a claim can be opened on. */
const LONGEST_NAME = `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(34)}.example`;

/** Fills a database with every state the screens can show, as of `now`. */
export async function seed(db: Db, now: number): Promise<Seeded> {
  db.$client.pragma("synchronous = OFF");
  const simulation = new Simulation(db);
  const { ctx } = simulation;
  const paths: Record<string, string> = {};
  const watcher = await simulation.account("lea@lighthouse.example", now - 60 * DAY);
  Object.assign(paths, await seedWatches(simulation, watcher, now));
  const holder = await simulation.account("maria@harbour.example", now - 40 * DAY);
  const newcomer = await simulation.account("nobody@harbour.example", now);
  const registry = await simulation.account("registry@crowd.example", now - 400 * DAY);
  const rival = await simulation.account("joao@rival.example", now - 40 * DAY);
  const at = (claim: Claim) => `/claims/${claim.id}`;

  for (const code of DIAGNOSIS_CODES) {
    const name = `${code.replaceAll("_", "-")}.example`;
    const scene = { provider: PROVIDER_OF[code] };
    const opened = now - 5 * HOUR;
    if (code === "expired_token") {
      const before = await simulation.claim(holder, name, now - 2 * DAY);
      await cancelClaim(ctx, holder, before.id);
      Object.assign(scene, { previous: before.token });
    }
    if (code === "not_published") {
      // The record appeared and disappeared together with the serial, so the zone is known to raise its serial.
      const before = await simulation.claim(holder, name, now - 2 * DAY);
      const soon = now - 2 * DAY;
      await simulation.read(before, absent({ ...scene, serial: 1 }), soon + 2 * MINUTE);
      await simulation.read(before, MISTAKES.no_matching_record(scene), soon + 4 * MINUTE);
      await simulation.read(before, absent({ ...scene, serial: 2 }), soon + 6 * MINUTE);
      await cancelClaim(ctx, holder, before.id);
    }
    const claim = await simulation.claim(holder, name, opened);
    // not_published needs an unchanged serial since the first read, negative_cache a recent read without the record.
    const since = code === "negative_cache" ? now - 20 * MINUTE : opened + 20 * MINUTE;
    if (code !== "not_published") await simulation.read(claim, absent(scene), since);
    await simulation.read(claim, MISTAKES[code](scene), now);
    paths[code] = at(claim);
  }

  const first = await simulation.claim(holder, "lantern.example", now);
  paths.first_check = at(first);
  const young = await simulation.claim(holder, "acme.com", now - 5 * MINUTE);
  await simulation.read(young, absent({ provider: "godaddy" }), now - MINUTE);
  paths.waiting = at(young);
  const sync = await simulation.claim(holder, "syncing.example", now - 20 * MINUTE);
  await simulation.read(sync, absent({ provider: "godaddy" }), now - 10 * MINUTE);
  await simulation.read(sync, partial({ provider: "godaddy" }), now);
  paths.nameserver_sync = at(sync);
  const quiet = await simulation.claim(holder, "quiet-servers.example", now - 20 * MINUTE);
  await simulation.read(quiet, silent({ provider: "godaddy" }), now);
  paths.nameserver_sync_silent = at(quiet);
  const halfHeard = await simulation.claim(holder, "second-read.example", now - 40_000);
  await simulation.read(halfHeard, foundOnHalf({ provider: "godaddy" }), now);
  paths.second_read = at(halfHeard);
  const crowded = await simulation.claim(holder, "thirteen.example", now - 30 * MINUTE);
  await simulation.read(crowded, absent({ provider: "other" }), now - 25 * MINUTE);
  await simulation.read(crowded, thirteen({ provider: "other" }), now);
  paths.thirteen = at(crowded);
  const gaveUp = await simulation.claim(holder, "silent-servers.example", now - 3 * HOUR);
  await simulation.read(gaveUp, silent({ provider: "godaddy" }), now);
  paths.not_published_silent = at(gaveUp);
  const viewed = await simulation.claim(holder, "views.example", now - 3 * HOUR);
  await simulation.read(viewed, MISTAKES.negative_cache({ provider: "route53" }), now);
  paths.not_published_views = at(viewed);
  const retry = await simulation.claim(holder, "retrying.example", now - 5 * MINUTE);
  await simulation.read(retry, unreachable({ provider: "other" }), now);
  paths.retry = at(retry);
  const gone = await simulation.claim(holder, "undelegated.example", now - HOUR);
  paths.lame_delegation_none = at(gone);
  await simulation.read(gone, undelegated, now);
  const held = await simulation.claim(holder, "held.example", now - HOUR);
  await simulation.read(held, undelegated, now);
  registerHeld(db, "held.example", now);
  paths.lame_delegation_held = at(held);

  const lived = await simulation.claim(holder, "patience.example", now - 6 * DAY);
  const scene = { provider: "route53" } as const;
  await simulation.read(lived, absent(scene), now - 5.5 * DAY);
  await simulation.read(lived, unreachable(scene), now - 5.2 * DAY);
  await simulation.read(lived, MISTAKES.value_formatted(scene), now - 3 * DAY);
  await simulation.read(lived, absent(scene), now);
  paths.six_days = at(lived);

  const busy = await simulation.claim(holder, "busy.example", now - 6 * DAY);
  await simulation.read(busy, MISTAKES.no_matching_record(scene), now);
  askFor(db, busy.verificationId, 2_000, now);
  paths.many_reads = at(busy);

  const proved = await simulation.claim(holder, "harbour.example", now - 30 * DAY);
  await simulation.read(proved, absent({ provider: "cloudflare" }), now - 30 * DAY + 40 * MINUTE);
  await simulation.read(proved, found({ provider: "cloudflare" }), now - 29 * DAY);
  const old = await publishProof(ctx, holder, proved.id);
  simulation.now = now - 20 * DAY;
  await revokeProofLink(ctx, holder, proved.id, old.slug);
  simulation.now = now - 19 * DAY;
  paths.proof_live = new URL((await publishProof(ctx, holder, proved.id)).url).pathname;
  paths.proof_revoked = `/p/${old.slug}`;
  paths.proved_shared = at(proved);
  paths.proved_shared_revoke = `${at(proved)}/revoke`;
  paths.domain_proved = `/domains/${proved.domainId}`;
  paths.archive_proved = `/domains/${proved.domainId}/archive`;
  paths.delete_proved = `/domains/${proved.domainId}/delete`;

  const rivals = await simulation.claim(rival, "harbour.example", now - 10 * DAY);
  await simulation.read(rivals, found({ provider: "cloudflare" }), now - 9 * DAY);

  const idn = await simulation.claim(holder, "bücher-für-alle.example", now - 3 * DAY);
  await simulation.read(idn, found({ provider: "other" }), now - 2 * DAY);
  paths.proved_unshared = at(idn);
  const hebrew = await simulation.claim(holder, "ספרים-ישנים.example", now - 12 * DAY);
  await simulation.read(hebrew, found({ provider: "namecheap" }), now - 11 * DAY);
  const hebrewLink = await publishProof(ctx, holder, hebrew.id);
  paths.proof_rtl = new URL(hebrewLink.url).pathname;
  const longest = await simulation.claim(holder, LONGEST_NAME, now - 2 * HOUR);
  await simulation.read(longest, MISTAKES.domain_appended({ provider: "other" }), now);
  paths.longest = at(longest);

  const half = await simulation.claim(holder, "half.example", now - 12 * DAY);
  await simulation.read(half, foundOnHalf({ provider: "namecheap" }), now - 11 * DAY);
  paths.proof_half = new URL((await publishProof(ctx, holder, half.id)).url).pathname;

  const signed = await simulation.claim(holder, "signed.example", now - 12 * DAY);
  await simulation.read(signed, foundSigned({ provider: "cloudflare" }), now - 11 * DAY);
  paths.proof_signed = new URL((await publishProof(ctx, holder, signed.id)).url).pathname;
  paths.proved_signed = at(signed);
  const most = await simulation.claim(holder, "most.example", now - 12 * DAY);
  await simulation.read(most, foundByMost({ provider: "route53" }), now - 11 * DAY);
  paths.proof_most = new URL((await publishProof(ctx, holder, most.id)).url).pathname;
  const early = await simulation.claim(holder, "early.example", now - 32 * DAY);
  await simulation.read(early, found({ provider: "other" }), now - 31 * DAY);
  // As a version wrote it that issued no receipts.
  db.delete(receipts).where(eq(receipts.claimId, early.id)).run();
  paths.proof_early = new URL((await publishProof(ctx, holder, early.id)).url).pathname;
  paths.proved_early = at(early);

  const expired = await simulation.claim(holder, "tides.example", now - 9 * DAY);
  await simulation.read(expired, absent({ provider: "namecheap" }), now - 2 * DAY);
  const late = await simulation.claim(holder, "too-late.example", now - 9 * DAY);
  await simulation.read(late, absent({ provider: "godaddy" }), now - 2 * DAY - MINUTE);
  await simulation.read(late, foundOnHalf({ provider: "godaddy" }), now - 2 * DAY);
  paths.expired_second_read = at(late);
  const again = await simulation.claim(holder, "history.example", now - 25 * DAY);
  await cancelClaim(ctx, holder, again.id);
  const second = await simulation.claim(holder, "history.example", now - 24 * DAY);
  await simulation.read(second, absent({ provider: "vercel" }), now - 17 * DAY);
  simulation.now = now;
  await expireOverdueOfAccount(ctx, holder);
  const third = await simulation.claim(holder, "history.example", now - 10 * DAY);
  await simulation.read(third, found({ provider: "vercel" }), now - 9 * DAY);
  const fourth = await simulation.claim(holder, "history.example", now - 2 * HOUR);
  await simulation.read(fourth, absent({ provider: "vercel" }), now);
  paths.expired = at(expired);
  paths.canceled = at(again);
  paths.domain_history = `/domains/${fourth.domainId}`;
  paths.domain_pending_archive = `/domains/${fourth.domainId}/archive`;
  const unclaimed = await simulation.domain(holder, "unclaimed.example", now - DAY);
  paths.domain_unclaimed = `/domains/${unclaimed}`;
  const shelved = await simulation.claim(holder, "shelved.example", now - 15 * DAY);
  await simulation.read(shelved, found({ provider: "other" }), now - 14 * DAY);
  simulation.now = now - 2 * DAY;
  await publishProof(ctx, holder, shelved.id);
  await archiveDomain(ctx, holder, shelved.domainId);
  paths.revoked_claim = `${at(shelved)}/revoke`;
  paths.domain_archived = `/domains/${shelved.domainId}?known`;
  paths.proved_archived = at(shelved);

  const handed = await simulation.claim(holder, "handed.example", now - 5 * HOUR);
  await simulation.read(handed, MISTAKES.domain_appended({ provider: "godaddy" }), now);
  simulation.now = now - HOUR;
  paths.handoff = new URL((await createHandoff(ctx, holder, handed.id)).url).pathname;
  paths.claim_handed = at(handed);
  const ended = await simulation.claim(holder, "handed-over.example", now - DAY);
  paths.handoff_proved = new URL((await createHandoff(ctx, holder, ended.id)).url).pathname;
  await simulation.read(ended, found({ provider: "other" }), now);
  for (const how of ["revoked", "canceled"] as const) {
    const claim = await simulation.claim(holder, `handed-${how}.example`, now - HOUR);
    paths[`handoff_${how}`] = new URL((await createHandoff(ctx, holder, claim.id)).url).pathname;
    if (how === "revoked") await revokeHandoff(ctx, holder, claim.id);
    await cancelClaim(ctx, holder, claim.id);
  }
  const lapsed = await simulation.claim(holder, "handed-expired.example", now - 8 * DAY);
  paths.handoff_expired = new URL((await createHandoff(ctx, holder, lapsed.id)).url).pathname;
  simulation.now = now;
  await expireOverdueOfAccount(ctx, holder);

  for (const [index, kind] of NOTICE_KINDS.entries()) {
    const subject = { id: proved.id, accountId: holder, domainId: proved.domainId };
    await write(ctx.db, (tx) => createNotice(tx, kind, subject, now - index * 5 * HOUR));
  }

  const broken = await simulation.claim(holder, "broken.example", now - HOUR);
  await simulation.read(broken, absent({ provider: "other" }), now);
  breakEvidence(db, broken.verificationId);
  paths.broken = at(broken);

  const hooked = await simulation.account("dev@hooks.example", now - 60 * DAY);
  Object.assign(
    paths,
    await seedWebhooks(
      ctx,
      personOf(await accountForEmail(ctx, "dev@hooks.example")),
      now,
      async () => {
        const claim = await simulation.claim(hooked, "hooked.example", now - HOUR);
        await simulation.read(claim, MISTAKES.domain_appended({ provider: "godaddy" }), now - HOUR);
        await simulation.read(claim, found({ provider: "godaddy" }), now - 30 * MINUTE);
      },
    ),
  );
  simulation.now = now;

  const operator = await simulation.account(OPERATOR, now - 400 * DAY);
  await disableAccount(ctx, await simulation.account("gone@rival.example", now - 9 * DAY));
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
    const id = newId("key", now);
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
    db.update(apiKeys)
      .set({ lastUsedAt: now - 3 * HOUR, lastUsedFrom: usedFrom })
      .where(eq(apiKeys.id, id))
      .run();
  }

  Object.assign(paths, await seedCustomers(simulation, from, now));
  simulation.now = now;

  Object.assign(paths, await seedReferences(simulation, team, now));
  insertManyDomains(db, registry, now);
  simulation.freeze(now);
  const signedIn = (accountId: string) => startSession(db, accountId, now, AGENTS.desk);
  startSession(db, holder, now - 3 * DAY, AGENTS.phone);
  return {
    sessions: {
      holder: signedIn(holder),
      newcomer: signedIn(newcomer),
      registry: signedIn(registry),
      team: signedIn(team),
      operator: signedIn(operator),
      hooked: signedIn(hooked),
      watcher: signedIn(watcher),
    },
    paths,
  };
}

/**
 * Adds reads up to `count`, each with a different outcome from the one before, as if someone kept asking for checks.
 */
function askFor(db: Db, verificationId: string, count: number, now: number): void {
  const ofIt = eq(attempts.verificationId, verificationId);
  const missing = count - db.select({ id: attempts.id }).from(attempts).where(ofIt).all().length;
  const diagnosis = JSON.stringify({
    code: "record_absent",
    awaits: "claimant",
    observed: { answer: { type: "nxdomain" }, nearMiss: null },
  });
  db.transaction((tx) => {
    for (let index = 0; index < missing; index++) {
      const at = now - HOUR - Math.floor((index * 5.9 * DAY) / missing);
      tx.insert(attempts)
        .values({
          id: newId("att", at),
          verificationId,
          trigger: "requested",
          outcome: index % 2 ? "unresolvable" : "absent",
          diagnosis: index % 2 ? null : diagnosis,
          latencyMs: 90 + ((index * 37) % 2_400),
          at,
        })
        .run();
    }
  });
}

/** Stores evidence in an unknown format, which no service writes; the page that reads it fails with a server error. */
function breakEvidence(db: Db, verificationId: string): void {
  const attempt = db
    .select({ id: attempts.id })
    .from(attempts)
    .innerJoin(verifications, eq(verifications.id, attempts.verificationId))
    .where(eq(verifications.id, verificationId))
    .all();
  for (const { id } of attempt)
    db.update(attemptEvidence)
      .set({ evidence: "{}" })
      .where(eq(attemptEvidence.attemptId, id))
      .run();
}

function startSession(db: Db, accountId: string, at: number, userAgent: string): string {
  const token = newSecret();
  const person = db.select().from(people).where(eq(people.accountId, accountId)).get();
  db.insert(sessions)
    .values({
      id: newId("ses", at),
      personId: person?.id ?? "",
      tokenHash: hashSecret(token),
      userAgent,
      createdAt: at,
      lastUsedAt: at,
      expiresAt: at + 30 * DAY,
    })
    .run();
  return token;
}
