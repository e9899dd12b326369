import type { Person } from "#app/core/accounts/accounts.server.ts";
import { archiveDomain } from "#app/features/domains/domains.server.ts";
import { createHandoff } from "#app/features/handoffs/handoffs.server.ts";
import { found, MISTAKES } from "./observations.ts";
import { DAY, HOUR, MINUTE, type Simulation } from "./simulation.ts";

const APP = "https://app.hooks.example";

export async function seedCustomers(
  simulation: Simulation,
  holder: Person,
  now: number,
): Promise<Record<string, string>> {
  const { ctx } = simulation;
  const prove = async (name: string) => {
    const claim = await simulation.claim(holder.accountId, name, now - 3 * HOUR);
    await simulation.read(claim, found("other"), now - 2 * HOUR);
    return claim;
  };
  await prove("hooks.example");
  const former = await prove("former.example");
  const share = async (name: string, own: object, at = now - 2 * HOUR) => {
    const claim = await simulation.claim(holder.accountId, name, at);
    const { url } = await createHandoff(ctx, holder.accountId, claim.id, own);
    return { claim, path: new URL(url).pathname };
  };
  const own = {
    title: "Connect your domain to Hooks",
    requestedFor: "Globex Corporation",
    returnUrl: `${APP}/domains?state=9f3a`,
  };
  const fresh = await share("fresh.example", own, now);
  const proved = await share("done.example", own);
  await simulation.read(proved.claim, found("other"), now - MINUTE);
  const alone = await share("alone.example", { title: own.title });
  const left = await share("left.example", { returnUrl: "https://app.former.example/" });
  await archiveDomain(ctx, holder.accountId, former.domainId);
  return {
    customer: fresh.path,
    customer_claim: `/domains/${fresh.claim.domainId}`,
    customer_proved: proved.path,
    customer_alone: alone.path,
    customer_left: left.path,
  };
}

const LONGEST = `https://crm.example/customers/${"0123456789".repeat(17)}`;

/** One name for several customers of an account, in different states, beside a domain without a customer. */
export async function seedReferences(
  simulation: Simulation,
  accountId: string,
  now: number,
): Promise<Record<string, string>> {
  const claim = (reference: string, at: number, name = "acme.com") =>
    simulation.claim(accountId, name, at, reference);
  await simulation.domain(accountId, "own.example", now - 3 * DAY);
  const proved = await claim("cust_42", now - 2 * DAY);
  await simulation.read(proved, found("namecheap"), now - 2 * DAY + 5 * MINUTE);
  const open = await claim("cust_77", now - 5 * HOUR);
  await simulation.read(open, MISTAKES.foreign_token("namecheap"), now);
  await claim("Kundå nr 7", now - 3 * MINUTE, "bücher.example");
  const long = await claim(LONGEST, now - 2 * MINUTE);
  const bare = await claim("cust_42", now - MINUTE, "portal.example");
  return {
    reference_archive: `/domains/${long.domainId}/archive`,
    reference_open: `/domains/${open.domainId}`,
    www_removed: `/domains/${bare.domainId}?www`,
  };
}
