import type { ChallengeQuestion } from "@deed/dns/resolve/reader.ts";
import { foundAt } from "@deed/dns/testing/readings.ts";
import type { Failure, Observation } from "@deed/dns/verdict/observation.ts";
import { describe, expect, test } from "vitest";
import { claimed } from "#app/core/testing/service.ts";
import { listAttempts, readVerification } from "./verifications.server.ts";

/** Every nameserver has the record over UDP and fails with `result` over TCP. */
const unconfirmedAt =
  (result: Failure) =>
  (question: ChallengeQuestion, at: number): Observation => {
    const found = foundAt(question, at);
    return {
      ...found,
      servers: found.servers.map((server) => ({ ...server, result })),
      confirmation: found.confirmation && { ...found.confirmation, confirmed: false },
    };
  };

/** Every nameserver has the record over UDP; no TCP connection could be opened, so none is at fault. */
const withoutTcpAt = (question: ChallengeQuestion, at: number): Observation => {
  const { confirmation, ...found } = foundAt(question, at);
  return {
    ...found,
    confirmation: confirmation && { ...confirmation, confirmed: false },
    limit: "tcp",
  };
};

const ipv6OnlyAt = (question: ChallengeQuestion, at: number): Observation => {
  const read = unconfirmedAt("ipv6_only")(question, at);
  return { ...read, servers: read.servers.map((server) => ({ ...server, answer: null })) };
};

/** Reads a claim again after a first read found nothing. */
async function readAgain(see: (question: ChallengeQuestion, at: number) => Observation) {
  const { service, ctx, account, claim, run } = await claimed();
  const first = await run();
  service.see = see;
  service.now += 60_000;
  await run();
  const shown = await readVerification(ctx, account.id, claim.verificationId);
  const [attempt] = await listAttempts(ctx, account.id, claim.verificationId);
  return { service, first, shown, attempt };
}

describe("nameservers without TCP that have the record", () => {
  test("leave no older diagnosis standing", async () => {
    const { service, first, shown, attempt } = await readAgain(unconfirmedAt("tcp_refused"));
    expect(first.diagnosis?.code).toBe("record_absent");
    expect(shown.diagnosis).toMatchObject({
      code: "lame_delegation",
      observed: {
        nameservers: ["ns1.example.net", "ns2.example.net"].map((host) => ({
          host,
          result: "tcp_refused",
        })),
      },
    });
    expect(attempt).toMatchObject({ outcome: "absent" });
    expect(service.complaints).toEqual([]);
  });

  test("are not blamed where nobody was heard over TCP: the operator is told", async () => {
    const { service, first, shown } = await readAgain(withoutTcpAt);
    expect(shown).toMatchObject({ lastOutcome: "unresolvable", diagnosis: first.diagnosis });
    expect(service.complaints).toEqual(["this server cannot open TCP connections to port 53"]);
  });
});

test("nameservers with IPv6 alone are this machine's trouble, and the operator is told", async () => {
  const { service, shown } = await readAgain(ipv6OnlyAt);
  expect(shown.diagnosis?.cause).toContain("This is our limit");
  expect(service.complaints).toEqual([
    "this server has no IPv6, and the zone's nameservers have only IPv6 addresses",
  ]);
});
