import { LABEL } from "../case.ts";
import type { Host } from "./hosts.ts";
import { type Attack, apex, type Honest, held, PARTIAL, type RowZone, UNSEEN } from "./row.ts";

const FAR = "far1.rule.com.";
const cutAt = (at: string): RowZone => ({
  at,
  servers: [],
  own: ["far1"],
  on: { far: [at === LABEL ? apex : held] },
  asks: ["far1"],
});

const BESIDE: [story: string, servers: Host[]][] = [
  ["another that answers", ["has1", "not1"]],
  ["three others that answer", ["has1", "not1", "not2", "not3"]],
  ["another whose UDP answers are lost", ["has1", "not1-lost"]],
  ["another that drops capital letters", ["has1", "not1-dropsCapitals"]],
];

/** A server of the zone that delegates the name to a stranger, who has the token; and zones that hide a cut. */
export const CUT_ATTACKS: Attack[] = [
  ...BESIDE.flatMap(([story, servers]): Attack[] => [
    {
      title: `the challenge name delegated to a stranger, beside ${story}`,
      servers,
      on: { has: [`${LABEL} NS ${FAR}`], not: [] },
      others: [cutAt(LABEL)],
      comesTo: PARTIAL,
    },
    {
      title: `a subdomain delegated to a stranger, beside ${story}`,
      servers,
      claims: "shop",
      on: { has: [`shop NS ${FAR}`], not: [] },
      others: [cutAt("shop")],
      comesTo: PARTIAL,
    },
  ]),
  {
    title:
      "a subdomain delegated to a stranger by one of two, while the other answers only a resolver",
    servers: ["has1", "not1-dark"],
    claims: "shop",
    on: { has: [`shop NS ${FAR}`], not: [] },
    others: [
      { ...cutAt("shop"), on: { far: [held], not: [] }, asks: [["far1"], ["not1"], ["far1"]] },
    ],
    comesTo: UNSEEN,
  },
  {
    title: "a grandchild zone on one server of the grandparent, which the other does not know",
    servers: ["has1", "not1"],
    claims: "g.c",
    on: { has: [], not: [] },
    others: [{ at: "g.c", servers: [], own: ["has1"], on: { has: [held] } }],
    comesTo: /^absent /,
  },
  ...(["unbound", "none"] as const).map((resolvers) => ({
    title: `a grandchild zone on the grandparent's server, which the child zone does not know; resolvers: ${resolvers}`,
    resolvers,
    servers: ["has1"],
    claims: "g.c",
    on: { has: [`c NS ${FAR}`] },
    others: [
      { at: "c", servers: [], own: ["far1"], on: { far: [] }, asks: ["far1"] },
      { at: "g.c", servers: [], own: ["has1"], on: { has: [held], far: [] }, asks: ["far1"] },
    ],
    comesTo: /^absent /,
  })),
];

export const CUT_HONEST: Honest[] = [
  {
    title: "a grandchild zone on the grandparent's server",
    servers: ["has1"],
    claims: "g.c",
    on: { has: [`c NS ${FAR}`] },
    others: [
      { at: "c", servers: [], own: ["far1"], on: { far: ["g NS has1.rule.com."] }, asks: ["far1"] },
      { at: "g.c", servers: [], own: ["has1"], on: { has: [held] } },
    ],
  },
  {
    title: "a grandchild zone on both of the grandparent's servers",
    servers: ["has1", "has2"],
    claims: "g.c",
    on: { has: [`c NS ${FAR}`] },
    others: [
      {
        at: "c",
        servers: [],
        own: ["far1"],
        on: { far: ["g NS has1.rule.com.", "g NS has2.rule.com."] },
        asks: ["far1"],
      },
      { at: "g.c", servers: [], own: ["has1", "has2"], on: { has: [held] } },
    ],
  },
  {
    title: "a grandchild zone on one of the grandparent's two servers",
    servers: ["has1", "not1"],
    claims: "g.c",
    on: { has: [`c NS ${FAR}`], not: [`c NS ${FAR}`] },
    others: [
      { at: "c", servers: [], own: ["far1"], on: { far: ["g NS has1.rule.com."] }, asks: ["far1"] },
      { at: "g.c", servers: [], own: ["has1"], on: { has: [held] } },
    ],
  },
  {
    title: "a child zone on its parent's server",
    servers: ["has1"],
    claims: "c",
    on: { has: ["c NS has1.rule.com."] },
    others: [{ at: "c", servers: [], own: ["has1"], on: { has: [held] } }],
  },
  {
    title: "a child zone on other servers",
    servers: ["has1", "has2"],
    claims: "c",
    on: { has: [`c NS ${FAR}`] },
    others: [cutAt("c")],
  },
  {
    title: "a child zone on one of its parent's two servers",
    servers: ["has1", "not1"],
    claims: "c",
    on: { has: ["c NS has1.rule.com."], not: ["c NS has1.rule.com."] },
    others: [{ at: "c", servers: [], own: ["has1"], on: { has: [held] } }],
  },
  {
    title: "a subdomain without a cut",
    servers: ["has1", "has2"],
    claims: "shop",
    on: { has: [`${held.replace(LABEL, `${LABEL}.shop`)}`] },
  },
];
