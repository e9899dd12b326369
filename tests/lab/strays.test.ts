import { createReader } from "@deed/dns/resolve/create-reader.ts";
import { describeDecision } from "@deed/dns/testing/world.ts";
import { decide, progressOf } from "@deed/dns/verdict/decide.ts";
import { type History, UNREAD } from "@deed/dns/verdict/history.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DAY } from "#app/core/time.ts";
import { nextRead, WINDOW_MS } from "#app/features/claims/transition.ts";
import { readerSettings } from "../support/reader-settings.ts";
import { LABEL, record, TOKEN, zone } from "./case.ts";
import { describeLab, type Lab, startLab } from "./lab.ts";
import { KNOTS, type KnotName, type LabZone } from "./zones.ts";

/** Nameservers of the claimed zones; the last one delegates the name to the stranger. */
const SERVERS: Record<string, KnotName[]> = {
  "one of two": ["ns1", "ns2"],
  "one of four": ["ns1", "ns2", "ns3", "ns4"],
};
const { host: STRANGER, address: THERE } = KNOTS.stranger;

type Attack = {
  name: string;
  /** Label of the claimed subdomain, or "" for the zone's own name. */
  sub: string;
  /** The last server's records, besides the zone's SOA and NS. */
  records: (cut: string) => string[];
  /** The last server also holds the delegated zone and answers authoritatively for it. */
  isAuthoritative?: boolean;
  /** The nameserver of the delegated zone. */
  host?: (cut: string) => string;
};

const ATTACKS: Attack[] = [
  { name: "challenge-cut", sub: "", records: () => [`${LABEL} NS ${STRANGER}.`] },
  {
    name: "challenge-glue",
    sub: "",
    records: () => [`${LABEL} NS ns.${LABEL}`, `ns.${LABEL} A ${THERE}`],
    host: (cut) => `ns.${cut}`,
  },
  { name: "subdomain-cut", sub: "shop.", records: () => [`shop NS ${STRANGER}.`] },
  {
    name: "subdomain-glue",
    sub: "shop.",
    records: () => ["shop NS ns.shop", `ns.shop A ${THERE}`],
    host: (cut) => `ns.${cut}`,
  },
  { name: "own-answer", sub: "shop.", records: () => [], isAuthoritative: true },
];

type Claim = { title: string; domain: string; attack: Attack; zones: LabZone[] };

const CLAIMS: Claim[] = Object.entries(SERVERS).flatMap(([title, servers]) =>
  ATTACKS.map((attack): Claim => {
    const parent = `${attack.name}-${servers.length}.com`;
    const domain = `${attack.sub}${parent}`;
    const cut = attack.sub === "" ? `${LABEL}.${domain}` : domain;
    const liar = servers.at(-1) ?? "ns1";
    const on = Object.fromEntries(
      servers.map((name) => [name, name === liar ? attack.records(cut) : []]),
    );
    const hosts = servers.map((name) => KNOTS[name].host);
    const host = attack.host?.(cut) ?? STRANGER;
    const token = record(TOKEN, attack.sub === "" ? "@" : LABEL);
    const address = host === STRANGER ? [] : [`${host}. A ${THERE}`];
    const delegated = (on: LabZone["on"]) =>
      zone(cut, on, { delegatedTo: [], ownNameservers: [host] });
    return {
      title: `${attack.name}, ${title}`,
      domain,
      attack,
      zones: [
        zone(parent, on, { delegatedTo: hosts }),
        // Witnesses accept the stranger's answer, because its zone is the one they know.
        delegated({
          stranger: [token, ...address],
          ...(attack.isAuthoritative && { [liar]: [] }),
        }),
      ],
    };
  }),
);

/** The times at which a claim opened at `opened` is read, the last one just before its deadline. */
function readsOf(opened: number): number[] {
  const reads: number[] = [];
  const deadline = opened + WINDOW_MS;
  let now = opened;
  for (;;) {
    const next = nextRead(
      {
        createdAt: opened,
        deadline,
        lastRunAt: reads.at(-1) ?? null,
        waitReason: null,
        waitUntil: null,
        failures: 0,
        fastUntil: null,
        secondReadAt: null,
      },
      now,
      0.5,
    );
    if (next >= deadline) return reads;
    reads.push(next);
    now = next;
  }
}

const OPENED = Date.UTC(2026, 0, 3, 12);

describeLab("a nameserver that delegates the name to an attacker, on knotd and unbound", () => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await startLab(CLAIMS.flatMap(({ zones }) => zones));
  });
  afterAll(() => lab?.stop());

  it.for(["with", "without"])(
    "is never proved in a week's reads, %s witnesses",
    { timeout: 240_000 },
    async (has) => {
      const reads = readsOf(OPENED);
      expect(reads.length).toBeGreaterThan(150);
      expect(reads.at(-1)).toBeGreaterThan(OPENED + 6.9 * DAY);
      for (const { title, domain, attack } of CLAIMS) {
        let now = OPENED;
        const { witnesses, ...settings } = readerSettings(lab.env);
        const reader = createReader({
          ...settings,
          witnesses: has === "with" ? witnesses : [],
          // A week's packets are sent within seconds here.
          packetsPerAddress: [{ count: 1e9, seconds: 1 }],
          clock: () => now,
        });
        let history: History = {
          ...UNREAD,
          domainOf: () => null,
          endedTokens: [],
          tokenPrefix: "service_v1_",
        };
        const came = new Map<string, number>();
        for (now of reads) {
          const question = { domain, label: LABEL, token: TOKEN };
          const seen = await reader.readChallenge(question, AbortSignal.timeout(30_000));
          const words = describeDecision(decide(seen, history));
          came.set(words, (came.get(words) ?? 0) + 1);
          expect(seen.exchanges.filter(({ address }) => address === THERE)).toEqual([]);
          history = { ...history, ...progressOf(seen, history) };
        }
        reader.close();
        const expected = attack.isAuthoritative
          ? ["absent record_absent"]
          : ["absent nameserver_sync", "absent not_published"];
        expect([...came.keys()], title).toEqual(expected);
      }
    },
  );
});
