import { describe, expect } from "vitest";
import * as z from "zod";
import { Attempt, Verification } from "#app/features/claims/resources.ts";
import { openClaim, poll } from "../support/deed.ts";
import { contract, newName, shaped } from "./kit.ts";
import { says } from "./sentences.ts";

const { it, target } = contract({ RDAP: "on" });
const AttemptList = z.strictObject({ attempts: z.array(Attempt) });

describe("a forced run", () => {
  it(says("C6.10", "C2.7", "C6.5", "C6.15", "C6.13"), async ({ client }) => {
    const { verificationId } = await openClaim(client, "initech.com");
    const path = `/api/verifications/${verificationId}`;
    const run = shaped(await client.post(`${path}/runs`), 200, Verification);
    expect(run).toMatchObject({
      status: "needs_attention",
      lastOutcome: "absent",
      waitEstimate: null,
    });
    expect(run.diagnosis).not.toBeNull();
    expect((await client.post(`${path}/runs/`)).status).toBe(200);
    const { attempts } = shaped(await client.get(`${path}/attempts`), 200, AttemptList);
    expect(attempts).toHaveLength(2);
    for (const attempt of attempts) {
      expect(attempt).toMatchObject({ trigger: "requested", outcome: "absent" });
      expect(attempt.diagnosis).not.toBeNull();
      expect(attempt.id).toMatch(/^att_/);
    }
    expect((attempts[0]?.at ?? "") >= (attempts[1]?.at ?? "")).toBe(true);
  });
});

describe("where the registry's delegation is at fault", () => {
  it(says("C30.1", "C30.2", "C30.3", "C30.4"), async ({ client }) => {
    const { registry } = target().own.playground;
    const name = newName();
    registry.register(name, {
      status: ["clientHold", "<b>made up</b>"],
      expiration: "2027-11-03T00:00:00Z",
      nameservers: ["NS1.Hosting.example", "ns2.hosting.example"],
    });
    const claim = await openClaim(client, name);
    const path = `/api/verifications/${claim.verificationId}`;
    let before = shaped(await client.post(`${path}/runs`), 200, Verification);
    expect(before).toMatchObject({ lastOutcome: "absent", diagnosis: { code: "lame_delegation" } });
    const answered = (body: Record<string, unknown>) => {
      const shown = Verification.parse(body);
      if (shown.registry === null) before = shown;
      return shown.registry !== null;
    };
    await poll(client, path, answered);
    const { registry: said, ...after } = shaped(await client.get(path), 200, Verification);
    expect(said).toEqual({
      name,
      registered: true,
      statuses: ["client hold"],
      expiresAt: "2027-11-03T00:00:00.000Z",
      nameservers: ["ns1.hosting.example", "ns2.hosting.example"],
      delegationSigned: false,
      cause: `The registrar has put ${name} on hold.`,
      fix: `Ask the registrar what it needs to release ${name}.`,
      askedAt: expect.stringMatching(/Z$/),
    });
    // A read by the schedule in between has times of its own.
    const { lastRunAt, nextRunAt } = after.lastRunAt === before.lastRunAt ? before : after;
    expect({ ...after, registry: null }).toEqual({ ...before, lastRunAt, nextRunAt });

    const again = await client.post(`${path}/runs`);
    expect(shaped(again, 200, Verification).diagnosis).toEqual(before.diagnosis);
    const { url } = (await client.post(`/api/claims/${claim.id}/handoff`)).body as { url: string };
    const pages = [
      await client.get(`/domains/${claim.domainId}`),
      await client.get(new URL(url).pathname),
    ];
    for (const { text } of pages) expect(text).toContain("The registrar has put <code><bdi>");
    expect(registry.asked.filter((one) => one === name)).toHaveLength(1);
  });
});
