import { describe, expect, test } from "vitest";
import { absence, alias, observation, servers, TOKEN, values } from "../testing/observations.ts";
import { nameserverCount } from "./publication-status.ts";

describe("the count of nameservers", () => {
  test("distinguishes delegated, answering and holding nameservers", () => {
    expect(nameserverCount(observation())).toEqual({ delegated: 2, answered: 2, holding: 2 });
    const mixed = servers(values(TOKEN), values("other"), alias("x"), "timeout", "refused");
    const count = nameserverCount(observation({ servers: mixed }));
    expect(count).toEqual({ delegated: 5, answered: 3, holding: 1 });
    const none = nameserverCount(absence(["no_address"]));
    expect(none).toEqual({ delegated: 1, answered: 0, holding: 0 });
  });

  test("counts every delegated name, asked or not", () => {
    const nameservers = Array.from({ length: 20 }, (_, index) => `ns${index}.dns.test`);
    const seen = observation();
    const delegation = { ...seen.delegation, type: "delegated" as const, nameservers };
    expect(nameserverCount({ ...seen, delegation } as typeof seen)?.delegated).toBe(20);
  });

  test("is null without a delegation", () => {
    const delegation = { type: "none", parent: "test", rcode: "NXDOMAIN" } as const;
    expect(nameserverCount(observation({ delegation, servers: [] }))).toBeNull();
  });
});
