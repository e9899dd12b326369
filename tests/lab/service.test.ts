import { afterAll, beforeAll, expect, it } from "vitest";
import { openClaim, poll, signIn } from "../support/deed.ts";
import { type Service, startService } from "../support/service.ts";
import { both, record, zone } from "./case.ts";
import { describeLab, type Lab, startLab } from "./lab.ts";

describeLab("the service on knotd and unbound", () => {
  let lab: Lab;
  let service: Service;
  beforeAll(async () => {
    const zones = [
      zone("whole.example", both(), { minimum: 5 }),
      zone("partly.example", both(), { refresh: 600 }),
    ];
    lab = await startLab(zones);
    service = await startService({ env: { ...lab.env, FIRST_READ_SECONDS: "5" } });
  });
  afterAll(async () => {
    await service?.stop();
    await lab?.stop();
  });

  it("proves a claim on its own once the record is published", async () => {
    const client = await signIn(service, "lab@holder.example");
    const claim = await openClaim(client, "whole.example");
    for (const server of ["ns1", "ns2"] as const)
      await lab.setZone(server, "whole.example", [record(claim.token)]);
    const proved = await poll(
      client,
      `/api/claims/${claim.id}`,
      (body) => body.state !== "pending",
      60,
    );
    expect(proved).toMatchObject({ state: "proved", records: [] });
  });

  it("does not prove a claim while one of two nameservers lacks the record", async () => {
    const client = await signIn(service, "lab-partly@holder.example");
    const claim = await openClaim(client, "partly.example");
    await lab.setZone("ns1", "partly.example", [record(claim.token)]);
    const run = await client.post(`/api/verifications/${claim.verificationId}/runs`);
    expect(run.body).toMatchObject({
      status: "propagating",
      lastOutcome: "absent",
      diagnosis: null,
      waitEstimate: { reason: "nameserver_sync" },
    });
    expect((await client.get(`/api/claims/${claim.id}`)).body).toMatchObject({ state: "pending" });
  });
});
