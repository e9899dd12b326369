import { LABEL } from "../case.ts";
import type { Host } from "./hosts.ts";
import {
  type Attack,
  apex,
  attack,
  type Honest,
  held,
  honest,
  PARTIAL,
  type RowZone,
  UNSEEN,
} from "./row.ts";

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
    attack(`the challenge name delegated to a stranger, beside ${story}`, servers, PARTIAL, {
      on: { has: [`${LABEL} NS ${FAR}`], not: [] },
      others: [cutAt(LABEL)],
    }),
    attack(`a subdomain delegated to a stranger, beside ${story}`, servers, PARTIAL, {
      claims: "shop",
      on: { has: [`shop NS ${FAR}`], not: [] },
      others: [cutAt("shop")],
    }),
  ]),
  attack(
    "a subdomain delegated to a stranger by one of two, while the other answers only a resolver",
    ["has1", "not1-dark"],
    UNSEEN,
    {
      claims: "shop",
      on: { has: [`shop NS ${FAR}`], not: [] },
      others: [
        { ...cutAt("shop"), on: { far: [held], not: [] }, asks: [["far1"], ["not1"], ["far1"]] },
      ],
    },
  ),
  attack(
    "a grandchild zone on one server of the grandparent, which the other does not know",
    ["has1", "not1"],
    /^absent /,
    {
      claims: "g.c",
      on: { has: [], not: [] },
      others: [{ at: "g.c", servers: [], own: ["has1"], on: { has: [held] } }],
    },
  ),
  ...(["unbound", "none"] as const).map((resolvers) =>
    attack(
      `a grandchild zone on the grandparent's server, which the child zone does not know; resolvers: ${resolvers}`,
      ["has1"],
      /^absent /,
      {
        resolvers,
        claims: "g.c",
        on: { has: [`c NS ${FAR}`] },
        others: [
          { at: "c", servers: [], own: ["far1"], on: { far: [] }, asks: ["far1"] },
          { at: "g.c", servers: [], own: ["has1"], on: { has: [held], far: [] }, asks: ["far1"] },
        ],
      },
    ),
  ),
];

export const CUT_HONEST: Honest[] = [
  honest("a grandchild zone on the grandparent's server", ["has1"], {
    claims: "g.c",
    on: { has: [`c NS ${FAR}`] },
    others: [
      { at: "c", servers: [], own: ["far1"], on: { far: ["g NS has1.rule.com."] }, asks: ["far1"] },
      { at: "g.c", servers: [], own: ["has1"], on: { has: [held] } },
    ],
  }),
  honest("a grandchild zone on both of the grandparent's servers", ["has1", "has2"], {
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
  }),
  honest("a grandchild zone on one of the grandparent's two servers", ["has1", "not1"], {
    claims: "g.c",
    on: { has: [`c NS ${FAR}`], not: [`c NS ${FAR}`] },
    others: [
      { at: "c", servers: [], own: ["far1"], on: { far: ["g NS has1.rule.com."] }, asks: ["far1"] },
      { at: "g.c", servers: [], own: ["has1"], on: { has: [held] } },
    ],
  }),
  honest("a child zone on its parent's server", ["has1"], {
    claims: "c",
    on: { has: ["c NS has1.rule.com."] },
    others: [{ at: "c", servers: [], own: ["has1"], on: { has: [held] } }],
  }),
  honest("a child zone on other servers", ["has1", "has2"], {
    claims: "c",
    on: { has: [`c NS ${FAR}`] },
    others: [cutAt("c")],
  }),
  honest("a child zone on one of its parent's two servers", ["has1", "not1"], {
    claims: "c",
    on: { has: ["c NS has1.rule.com."], not: ["c NS has1.rule.com."] },
    others: [{ at: "c", servers: [], own: ["has1"], on: { has: [held] } }],
  }),
  honest("a subdomain without a cut", ["has1", "has2"], {
    claims: "shop",
    on: { has: [`${held.replace(LABEL, `${LABEL}.shop`)}`] },
  }),
];
