import { expect, it } from "vitest";
import { alias, observation, servers, TOKEN, values } from "../testing/observations.ts";
import { nameserverCount } from "./publication-status.ts";

it("counts the nameservers delegated, asked or not, those that answer and those that have it", () => {
  const mixed = servers(values(TOKEN), values("other"), alias("x"), "timeout", "refused");
  const seen = observation({ servers: mixed });
  expect(nameserverCount(seen)).toEqual({ delegated: 5, answered: 3, holding: 1 });
  expect(nameserverCount({ ...seen, servers: [] })?.delegated).toBe(5);
  const delegation = { type: "none", parent: "test", rcode: "NXDOMAIN" } as const;
  expect(nameserverCount(observation({ delegation, servers: [] }))).toBeNull();
});
