import { explain } from "@deed/dns/words/diagnoses/diagnoses.ts";
import { expect, it } from "vitest";
import { both, LABEL, record, TOKEN, useLab, zone } from "./case.ts";
import { describeLab } from "./lab.ts";
import { foreignDs, type LabZone } from "./zones.ts";

const DAY = 86_400;
const good = { from: -DAY, until: DAY };
type Fault = { type: string } & Record<string, unknown>;

/** A broken chain, the fault in the diagnosis, and who must act. */
const CASES: [title: string, rest: Partial<LabZone>, fault: Omit<Fault, "zone">, awaits: string][] =
  [
    [
      "a DS that matches no key",
      { presigned: good, ds: [foreignDs("no-key.example")] },
      { type: "ds_matches_no_key", dsKeyTags: [60485] },
      "registrar",
    ],
    [
      "an unsigned copy below a DS",
      { ds: [foreignDs("unsigned.example")] },
      { type: "ds_without_keys", dsKeyTags: [60485] },
      "registrar",
    ],
    [
      "signatures that expired",
      { presigned: { from: -9 * DAY, until: -2 * DAY } },
      { type: "signatures_expired" },
      "provider",
    ],
    [
      "signatures that are not valid yet",
      { presigned: { from: 2 * DAY, until: 9 * DAY } },
      { type: "signatures_not_yet_valid" },
      "provider",
    ],
  ];
const NAMES = ["no-key", "unsigned", "expired", "early"];
const nameOf = (index: number, more = "") => `${NAMES[index]}${more}.example`;
const made = (index: number, more: string, records: string[], rest: Partial<LabZone>): LabZone => {
  const name = nameOf(index, more);
  return zone(name, both(...records), { ...rest, ...(rest.ds && { ds: [foreignDs(name)] }) });
};
const ZONES = CASES.flatMap(([, rest], index) => [
  made(index, "", ["@ A 192.0.2.1"], rest),
  made(index, "-held", [record(TOKEN)], rest),
]);
const SOUND = zone("sound.example", both("@ A 192.0.2.1"), { presigned: good });
const PLAIN = zone("plain.example", both("@ A 192.0.2.1"));

/** No resolver notices before it asks for something missing, and the record needs no denial. */
const UNDENIED = zone("undenied.example", both("@ A 192.0.2.1"), {
  presigned: { ...good, without: /\s(RRSIG\s+NSEC|NSEC)\s/ },
});

// C7.15
describeLab("DNSSEC before there is a record, on knotd and unbound", () => {
  const at = useLab([...ZONES, SOUND, PLAIN, UNDENIED]);

  it.for(CASES.map((one, index) => [...one, index] as const))(
    "names %s as it does with the record",
    async ([, , fault, awaits, index]) => {
      const words = [];
      for (const more of ["", "-held"]) {
        const name = nameOf(index, more);
        const { seen, decision } = await at.read(name);
        expect(decision).toMatchObject({
          diagnosis: { code: "servfail", awaits, observed: { fault: { ...fault, zone: name } } },
        });
        expect(seen.packets).toBeLessThanOrEqual(60);
        const toWitnesses = seen.exchanges.filter(({ server }) =>
          /^(north|east|west)$/.test(server),
        );
        if (!more)
          expect(toWitnesses.map(({ question }) => question.name)).not.toContain(
            `${LABEL}.${name}`,
          );
        const diagnosis = decision.outcome === "absent" ? decision.diagnosis : null;
        const place = { label: LABEL, domain: name, zone: name, token: TOKEN, provider: "other" };
        if (diagnosis)
          words.push(
            explain(diagnosis, place as Parameters<typeof explain>[1])
              .fix.replaceAll("-held", "")
              .replace(/key tags? [\d, and]+/g, "key tag"),
          );
      }
      expect(new Set(words).size).toBe(1);
    },
  );

  it.each([SOUND, PLAIN, UNDENIED])(
    "asks nothing about signatures of $name, which resolvers accept",
    async ({ name }) => {
      const { seen, decision } = await at.read(name);
      expect(decision).toMatchObject({ diagnosis: { code: "record_absent" } });
      const keys = seen.exchanges.filter(
        ({ question, server }) => question.type === "DNSKEY" && !/^(north|east|west)$/.test(server),
      );
      expect(keys).toEqual([]);
      console.log(`${name}: ${seen.packets} packets, ${seen.durationMs} ms`);
    },
  );
});
