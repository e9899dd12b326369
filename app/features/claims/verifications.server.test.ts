import { foundAt } from "@deed/dns/testing/readings.ts";
import type { Failure } from "@deed/dns/verdict/observation.ts";
import { expect, test } from "vitest";
import { claimed, type TestService } from "#app/core/testing/service.ts";
import { MINUTE } from "#app/core/time.ts";

/** Every nameserver has the record over UDP and fails with `result` over TCP; without `result` this machine is at fault. */
const unconfirmedAt =
  (result: Failure | null, change: object = {}): TestService["see"] =>
  (question, at) => {
    const { confirmation, servers, ...found } = foundAt(question, at);
    return {
      ...found,
      servers: result ? servers.map((server) => ({ ...server, result, ...change })) : servers,
      confirmation: confirmation && { ...confirmation, confirmed: false },
      ...(result === null && { limit: "tcp" }),
    };
  };

const failing = ["ns1.example.net", "ns2.example.net"].map((host) => {
  return { host, result: "tcp_refused" };
});
const NO_IPV6 = "this server has no IPv6, and the zone's nameservers have only IPv6 addresses";

test.each<[string, TestService["see"], object, string[]]>([
  [
    "without TCP that have the record leave no older diagnosis standing",
    unconfirmedAt("tcp_refused"),
    {
      lastOutcome: "absent",
      diagnosis: { code: "lame_delegation", observed: { nameservers: failing } },
    },
    [],
  ],
  [
    "are not blamed where nobody was heard over TCP: the operator is told",
    unconfirmedAt(null),
    { lastOutcome: "unresolvable", diagnosis: { code: "record_absent" } },
    ["this server cannot open TCP connections to port 53"],
  ],
  [
    "with IPv6 alone are this machine's trouble, and the operator is told",
    unconfirmedAt("ipv6_only", { answer: null }),
    { diagnosis: { cause: expect.stringContaining("This is our limit") } },
    [NO_IPV6],
  ],
])("nameservers %s", async (_, see, shown, complaints) => {
  const { service, run, attempts } = await claimed();
  expect((await run()).diagnosis?.code).toBe("record_absent");
  service.see = see;
  service.now += MINUTE;
  const { lastOutcome, ...after } = await run();
  expect({ lastOutcome, ...after }).toMatchObject(shown);
  expect((await attempts())[0]?.outcome).toBe(lastOutcome);
  expect(service.complaints).toEqual(complaints);
});
