import { decide, progressOf } from "@deed/dns/testing/verdicts.ts";
import type { History } from "@deed/dns/verdict/history.ts";
import type { Observation } from "@deed/dns/verdict/observation.ts";
import { expect, it } from "vitest";
import { both, LABEL, NO_HISTORY, record, TOKEN, useLab, zone } from "./case.ts";
import { describeLab } from "./lab.ts";
import { foreignDs, KNOTS, NS1, NS2 } from "./zones.ts";

/** A server that lacks these zones. */
const { address: OLD } = KNOTS.root;
const TTL_MS = 300_000;
/** The registry lists it at OLD, so that resolvers know nothing else of it. */
const MOVED = zone("moved.com", both(record(TOKEN)), {
  delegatedTo: ["old1.moved.com"],
  ownNameservers: [NS1, NS2],
  glue: [`old1.moved.com. A ${OLD}`],
  before: [OLD],
});
const LEFT = zone("left.example", both(record(TOKEN)), { ds: [foreignDs("left.example")] });

describeLab("a delegation that was just corrected, behind unbound with the old one", () => {
  const at = useLab([MOVED, LEFT]);

  /** The reads of a claim; each gets what the last one left. */
  const reading = (domain: string) => {
    let known: Observation["known"] = null;
    let history: History = NO_HISTORY;
    return async () => {
      const question = { domain, label: LABEL, token: TOKEN, known };
      const seen = await at.reader.readChallenge(question, AbortSignal.timeout(30_000));
      const decision = decide(seen, history);
      known = seen.known;
      history = { ...history, ...progressOf(seen, history) };
      const later = { ...seen, at: (seen.known?.until ?? 0) + 1 };
      return { seen, decision, later: decide(later, history) };
    };
  };
  const diagnosed = (code: string, awaits: string, observed: object = {}) => ({
    outcome: "absent",
    diagnosis: { code, awaits, observed },
  });
  const held = diagnosed("negative_cache", "resolvers", { held: "delegation" });
  const unreachable = diagnosed("servfail", "provider", { fault: { type: "unreachable" } });

  it("is a wait with its end, and a fault after that", async () => {
    const read = reading(MOVED.name);
    expect((await read()).decision).toMatchObject(diagnosed("lame_delegation", "provider"));
    const listed = [NS1, NS2].map((host) => `moved.com. NS ${host}.`);
    await at.lab.list(MOVED.name, "NS", listed);
    const { seen, decision, later } = await read();
    const wait = { reason: "negative_cache", held: "delegation", until: seen.at + TTL_MS };
    expect(decision).toMatchObject({ ...held, wait });
    expect(later).toMatchObject({ ...unreachable, wait: null });
    // The end does not move.
    expect((await read()).decision).toMatchObject({ wait });
  });

  it("is a wait for the DS records that resolvers still have, by their own word", async () => {
    const read = reading(LEFT.name);
    const stale = { type: "ds_without_keys", zone: LEFT.name };
    expect((await read()).decision).toMatchObject(
      diagnosed("servfail", "registrar", { fault: stale }),
    );
    await at.lab.list(LEFT.name, "DS");
    const { seen, decision, later } = await read();
    expect(decision).toMatchObject(held);
    const left = (seen.known?.until ?? 0) - seen.at;
    expect(left).toBeGreaterThan(TTL_MS - 60_000);
    expect(left).toBeLessThanOrEqual(TTL_MS);
    const unsigned = { fault: { type: "unsigned", zone: LEFT.name } };
    expect(later).toMatchObject(diagnosed("servfail", "resolvers", unsigned));
  });
});
