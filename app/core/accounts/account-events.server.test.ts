import { foundAt } from "@deed/dns/testing/readings.ts";
import { describe, expect, test } from "vitest";
import { archiveDomain, deleteDomain } from "#app/features/domains/domains.server.ts";
import { createHandoff, revokeHandoff } from "#app/features/handoffs/handoffs.server.ts";
import { publishProof, revokeProofLink } from "#app/features/proofs/proofs.server.ts";
import { write } from "#db/client.ts";
import { trimEverything } from "#worker/housekeeping.server.ts";
import { personOf } from "../testing/accounts.ts";
import { claimed, NOON, type TestService, testService } from "../testing/service.ts";
import { DAY } from "../time.ts";
import {
  accountLog,
  logAccountEvent,
  MAX_EVENTS_OF_A_KIND,
  setMailEnabled,
} from "./accounts.server.ts";

const logOf = (service: TestService, accountId: string) =>
  accountLog(service.ctx, accountId, Number.POSITIVE_INFINITY).events;
const kindsOf = (...whose: Parameters<typeof logOf>) => logOf(...whose).map(({ kind }) => kind);

describe("the account's log", () => {
  test("tells of public links as they come and go, once each, with their domain", async () => {
    const { service, ctx, account, claim, run } = await claimed(testService(), "maria@acme.com");
    await createHandoff(ctx, account.id, claim.id);
    await createHandoff(ctx, account.id, claim.id);
    await revokeHandoff(ctx, account.id, claim.id);
    service.see = foundAt;
    await run();
    const { slug } = await publishProof(ctx, account.id, claim.id);
    await publishProof(ctx, account.id, claim.id);
    await revokeProofLink(ctx, account.id, claim.id, slug);
    await expect(revokeProofLink(ctx, account.id, claim.id, slug)).rejects.toThrow();
    await publishProof(ctx, account.id, claim.id);
    await archiveDomain(ctx, account.id, claim.domainId);
    const link = ["proof_link_revoked", "proof_link_issued"];
    const kinds = [...link, ...link, "handoff_revoked", "handoff_issued"];
    expect(kindsOf(service, account.id)).toEqual(kinds);
    expect(logOf(service, account.id)[0]).toEqual({
      id: expect.any(Number),
      subject: null,
      kind: "proof_link_revoked",
      email: null,
      userAgent: "",
      domain: { id: claim.domainId, name: "acme.com", unicodeName: "acme.com", reference: "" },
      at: new Date(NOON).toISOString(),
    });
    await deleteDomain(ctx, account.id, claim.domainId);
    for (const { domain } of logOf(service, account.id)) expect(domain).toBeNull();
  });

  test("tells of a change of the account's data, not of one that changes nothing", async () => {
    const { service, ctx, account } = await claimed();
    for (const enabled of [true, false, false, true])
      await setMailEnabled(ctx, personOf(account), enabled);
    expect(kindsOf(service, account.id)).toEqual(["mails_switched_on", "mails_switched_off"]);
  });

  test("keeps the newest of each kind: many of one push out nothing else", async () => {
    const { service, ctx, account } = await claimed();
    const note = (kind: "signed_in_by_link" | "code_refused", at: number) =>
      write(ctx.db, (tx) => logAccountEvent(tx, account.id, kind, at));
    await note("signed_in_by_link", NOON);
    for (let i = 0; i < MAX_EVENTS_OF_A_KIND + 30; i++) await note("code_refused", NOON - i);
    const log = logOf(service, account.id);
    expect(log).toHaveLength(MAX_EVENTS_OF_A_KIND + 1);
    expect(log[0]?.at).toBe(new Date(NOON - MAX_EVENTS_OF_A_KIND - 29).toISOString());
    expect(log.at(-1)?.kind).toBe("signed_in_by_link");
    const short = accountLog(ctx, account.id, 10);
    expect([short.events.length, short.more]).toEqual([10, MAX_EVENTS_OF_A_KIND - 9]);
  });

  test("keeps 90 days", async () => {
    const { service, ctx, account } = await claimed();
    for (const days of [90, 89, 0])
      await write(ctx.db, (tx) => logAccountEvent(tx, account.id, "signed_out", NOON - days * DAY));
    await trimEverything(ctx, new AbortController().signal);
    expect(logOf(service, account.id)).toHaveLength(2);
  });
});
