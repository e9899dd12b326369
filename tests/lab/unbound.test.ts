import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { readerSettings } from "../support/reader-settings.ts";
import { both, claimReads, record, TOKEN, zone } from "./case.ts";
import { describeLab, type Lab, startLab } from "./lab.ts";
import { foreignDs, KNOTS, type LabZone, NS1, NS2 } from "./zones.ts";

const held = (name: string, rest: Partial<LabZone>) => zone(name, both(record(TOKEN)), rest);
/** A server that lacks these zones. */
const { address: OLD } = KNOTS.root;
const TTL_MS = 300_000;
/** The registry lists it at OLD, so that resolvers know nothing else of it. */
const MOVED = held("moved.com", {
  delegatedTo: ["old1.moved.com"],
  ownNameservers: [NS1, NS2],
  glue: [`old1.moved.com. A ${OLD}`],
  before: [OLD],
});
const LEFT = held("left.example", { ds: [foreignDs("left.example")] });

const diagnosed = (code: string, awaits: string, observed: object = {}) => ({
  outcome: "absent",
  diagnosis: { code, awaits, observed },
});
const HELD = diagnosed("negative_cache", "resolvers", { held: "delegation" });
const UNREACHABLE = diagnosed("servfail", "provider", { fault: { type: "unreachable" } });

describeLab("a delegation that was just corrected, where unbound has the old one", () => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await startLab([MOVED, LEFT]);
  });
  afterAll(() => lab?.stop());
  const reading = ({ name }: LabZone) => {
    const reads = claimReads(readerSettings(lab.env), name);
    onTestFinished(() => reads.close());
    return reads.read;
  };

  it("is a wait with its end, and a fault after that", async () => {
    const read = reading(MOVED);
    expect((await read()).decision).toMatchObject(diagnosed("lame_delegation", "provider"));
    const listed = [NS1, NS2].map((host) => `moved.com. NS ${host}.`);
    await lab.list(MOVED.name, "NS", listed);
    const { seen, decision } = await read();
    const wait = { reason: "negative_cache", held: "delegation", until: seen.at + TTL_MS };
    expect(decision).toMatchObject({ ...HELD, wait });
    // The end does not move.
    expect((await read()).decision).toMatchObject({ wait });
    expect((await read(TTL_MS)).decision).toMatchObject({ ...UNREACHABLE, wait: null });
  });

  it("is a wait for the DS records that resolvers still have, by their own word", async () => {
    const read = reading(LEFT);
    const stale = { type: "ds_without_keys", zone: LEFT.name };
    const broken = diagnosed("servfail", "registrar", { fault: stale });
    expect((await read()).decision).toMatchObject(broken);
    await lab.list(LEFT.name, "DS");
    const { seen, decision } = await read();
    expect(decision).toMatchObject(HELD);
    const left = (seen.known?.until ?? 0) - seen.at;
    expect(left).toBeGreaterThan(TTL_MS - 60_000);
    expect(left).toBeLessThanOrEqual(TTL_MS);
    const unsigned = { fault: { type: "unsigned", zone: LEFT.name } };
    expect((await read(TTL_MS)).decision).toMatchObject(
      diagnosed("servfail", "resolvers", unsigned),
    );
  });
});
