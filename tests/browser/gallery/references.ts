import { found, MISTAKES } from "./observations.ts";
import { DAY, HOUR, MINUTE, type Simulation } from "./simulation.ts";

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
  await claim(LONGEST, now - 2 * MINUTE);
  const bare = await claim("cust_42", now - MINUTE, "portal.example");
  return {
    reference_open: `/domains/${open.domainId}`,
    www_removed: `/domains/${bare.domainId}?www`,
  };
}
