import { txt } from "@deed/playground/records.ts";
import { expect, it } from "vitest";
import { NoticeList } from "#app/core/resources.ts";
import { ClaimDetail } from "#app/features/claims/resources.ts";
import { ProofLink, PublishedProof } from "#app/features/proofs/resources.ts";
import { targetService } from "../contract/kit.ts";
import type { Client } from "../support/client.ts";
import { openClaim } from "../support/deed.ts";

const target = targetService();
const NAME = "orchard.example";
const MARA = "mara@first.example";
const NOOR = "noor@second.example";
const IDA = "ida@third.example";
const masked = (email: string) => email.replace(/^(.)[^@]*/, "$1•••");

const claimOf = async (client: Client, id: string) =>
  ClaimDetail.parse((await client.get(`/api/claims/${id}`)).body);
const publish = async (client: Client, id: string) =>
  ProofLink.parse((await client.post(`/api/claims/${id}/proof_links`)).body);
const proofAt = async (slug: string) =>
  PublishedProof.parse((await target().stranger().get(`/api/proofs/${slug}`)).body);
const kinds = async (client: Client) =>
  NoticeList.parse((await client.get("/api/notices")).body).notices.map(({ kind }) => kind);

/** Adds the token next to whatever is already there, as someone who shares the zone would. */
async function prove(client: Client, spelling = NAME) {
  const claim = await openClaim(client, spelling);
  const before = await claimOf(client, claim.id);
  target().own.playground.addRecord(NAME, txt(claim.name, claim.token));
  target().own.playground.flushWitnesses();
  await client.post(`/api/verifications/${claim.verificationId}/runs`);
  return { before, after: await claimOf(client, claim.id) };
}

/** What the account's stream sends until it has reported an event of that type. */
async function heard(client: Client, type: string, meanwhile: () => Promise<unknown>) {
  const leaving = new AbortController();
  const stream = await fetch(`${target().url}/api/events`, {
    headers: { cookie: client.cookie },
    signal: leaving.signal,
  });
  const done = meanwhile();
  const reader = stream.body?.getReader();
  let text = "";
  while (!(text.includes(`"${type}"`) && text.endsWith("\n\n"))) {
    const next = await reader?.read();
    if (!next || next.done) break;
    text += Buffer.from(next.value).toString();
  }
  leaving.abort();
  await done;
  return text;
}

/** Mails to an address whose subject mentions another account, once there are `count`. */
async function coexistenceMails(email: string, count: number): Promise<string[]> {
  const mine = () =>
    target()
      .mails()
      .filter((mail) => new RegExp(`^To: .*${email}`, "m").test(mail))
      .filter((mail) => /^Subject: Another account has proved /m.test(mail));
  await expect.poll(() => mine().length, { timeout: 15_000 }).toBeGreaterThanOrEqual(count);
  return mine();
}

it("two accounts prove one name: both stay proved, and the first is told", async () => {
  const [mara, noor] = [await target().signIn(MARA), await target().signIn(NOOR)];
  const first = await prove(mara);
  expect(first.before.coexistence).toBeNull();
  expect(first.after).toMatchObject({ state: "proved", coexistence: null });
  const maraLink = await publish(mara, first.after.id);
  expect((await proofAt(maraLink.slug)).recency).toEqual({ type: "latest" });

  let second = { before: first.before, after: first.after };
  const events = await heard(mara, "notice.created", async () => {
    // Both records are in the zone at once, and the name is spelled differently.
    second = await prove(noor, " https://Orchard.Example./ ");
  });
  expect(second.before).toMatchObject({ state: "pending", domain: NAME });
  expect(second.before.coexistence).toEqual({ type: "unnamed" });
  expect(second.after.state).toBe("proved");
  expect(second.after.coexistence).toEqual({
    type: "named",
    maskedEmail: masked(MARA),
    provedAt: first.after.endedAt,
  });

  const still = await claimOf(mara, first.after.id);
  expect(still).toEqual({
    ...first.after,
    coexistence: { type: "named", maskedEmail: masked(NOOR), provedAt: second.after.endedAt },
  });

  const noorLink = await publish(noor, second.after.id);
  const [maraProof, noorProof] = [await proofAt(maraLink.slug), await proofAt(noorLink.slug)];
  expect(maraProof.recency).toEqual({ type: "earlier", latestProvedAt: second.after.endedAt });
  expect(noorProof.recency).toEqual({ type: "latest" });
  expect([maraProof.heldBy, noorProof.heldBy]).toEqual([masked(MARA), masked(NOOR)]);
  for (const [slug, own, other] of [
    [maraLink.slug, MARA, NOOR],
    [noorLink.slug, NOOR, MARA],
  ] as const) {
    const page = (await target().stranger().get(`/p/${slug}`)).text;
    expect(page).toContain(masked(own));
    expect(page).not.toContain(masked(other));
    expect(page).not.toContain(own);
  }

  expect(await kinds(mara)).toEqual(["coexistence", "proved"]);
  expect(await kinds(noor)).toEqual(["proved"]);
  const [notice] = NoticeList.parse((await mara.get("/api/notices")).body).notices;
  expect(notice).toMatchObject({ claimId: first.after.id, domainId: first.after.domainId });
  expect(events).toContain(`"noticeId":"${notice?.id}"`);
  expect(events).not.toContain(second.after.id);

  const [mail = "", ...more] = await coexistenceMails(MARA, 1);
  expect(more).toEqual([]);
  expect(mail).toContain(NAME);
  expect(mail).not.toContain(NOOR);
  expect(mail).not.toContain(second.after.token);
  expect(await coexistenceMails(NOOR, 0)).toEqual([]);
});

it("a third account sees no names before its own proof, and the first is not told twice in a day", async () => {
  const ida = await target().signIn(IDA);
  const third = await prove(ida);
  expect(third.before.coexistence).toEqual({ type: "unnamed" });
  expect(third.after).toMatchObject({ state: "proved", coexistence: { type: "named" } });

  const [mara, noor] = [await target().signIn(MARA), await target().signIn(NOOR)];
  expect(await kinds(noor)).toEqual(["coexistence", "proved"]);
  expect(await kinds(mara)).toEqual(["coexistence", "proved"]);
  await coexistenceMails(NOOR, 1);
  expect(await coexistenceMails(MARA, 1)).toHaveLength(1);
});

it("after the later proofs are erased, the first is the latest again", async () => {
  const mara = await target().signIn(MARA);
  for (const email of [NOOR, IDA]) {
    const client = await target().signIn(email);
    const { domains } = (await client.get("/api/domains")).body as { domains: { id: string }[] };
    for (const { id } of domains)
      expect((await client.delete(`/api/domains/${id}`)).status).toBe(204);
  }
  const { claims } = (await mara.get("/api/claims")).body as { claims: { id: string }[] };
  const claim = await claimOf(mara, claims[0]?.id ?? "");
  expect(claim).toMatchObject({ state: "proved", coexistence: null });
  const { links } = (await mara.get(`/api/claims/${claim.id}/proof_links`)).body as {
    links: ProofLink[];
  };
  expect((await proofAt(links[0]?.slug ?? "")).recency).toEqual({ type: "latest" });
});
