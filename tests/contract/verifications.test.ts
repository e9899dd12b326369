import { expect } from "vitest";
import * as z from "zod";
import { Attempt, Verification } from "#app/features/claims/resources.ts";
import { openClaim, poll } from "../support/deed.ts";
import { contract, newName, shaped } from "./kit.ts";
import { says } from "./sentences.ts";

const { it, target } = contract({ RDAP: "on" });
const AttemptList = z.strictObject({ attempts: z.array(Attempt) });

it(
  says("C2.7", "C6.5", "C6.10", "C6.13", "C6.15", "C30.1", "C30.2", "C30.3", "C30.4"),
  async ({ client }) => {
    const { registry } = target().own.playground;
    const name = newName();
    registry.register(name, {
      status: ["clientHold", "<b>made up</b>"],
      expiration: "2027-11-03T00:00:00Z",
      nameservers: ["NS1.Hosting.example", "ns2.hosting.example"],
    });
    const claim = await openClaim(client, name);
    const path = `/api/verifications/${claim.verificationId}`;
    const run = async () => shaped(await client.post(`${path}/runs`), 200, Verification);
    const first = await run();
    const diagnosis = { code: "lame_delegation" };
    expect(first).toMatchObject({ status: "needs_attention", lastOutcome: "absent", diagnosis });
    await poll(client, path, ({ registry }) => registry !== null);
    const { registry: said, ...after } = shaped(await client.get(path), 200, Verification);
    expect(said).toEqual({
      name,
      registered: true,
      statuses: ["client hold"],
      expiresAt: "2027-11-03T00:00:00.000Z",
      nameservers: ["ns1.hosting.example", "ns2.hosting.example"],
      delegationSigned: false,
      cause: `The registrar has put ${name} on hold.`,
      fix: `Ask the registrar what it needs to take ${name} off hold.`,
      askedAt: expect.stringMatching(/Z$/),
    });
    // A scheduled read in between has its own times.
    const { lastRunAt, nextRunAt } = after.lastRunAt === first.lastRunAt ? first : after;
    expect({ ...after, registry: null }).toEqual({
      ...first,
      registry: null,
      lastRunAt,
      nextRunAt,
    });

    expect((await run()).diagnosis).toEqual(first.diagnosis);
    const { attempts } = shaped(await client.get(`${path}/attempts`), 200, AttemptList);
    const requested = { trigger: "requested", outcome: "absent", diagnosis: first.diagnosis };
    expect([attempts[0], attempts.at(-1)]).toMatchObject([requested, requested]);
    const handoff = `/api/claims/${claim.id}/handoff`;
    const { url } = await client.expect<{ url: string }>(201, "POST", handoff);
    for (const page of [`/domains/${claim.domainId}`, new URL(url).pathname])
      expect((await client.get(page)).text).toContain("The registrar has put <code><bdi>");
    expect(registry.askedNames.filter((one) => one === name)).toHaveLength(1);
  },
);
