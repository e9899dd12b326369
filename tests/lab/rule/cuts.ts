import { LABEL } from "../case.ts";
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
const farCut = (at: string) => ({ has: [`${at} NS ${FAR}`], not: [] });
/** A zone that only another one delegates, and that resolvers ask on the knotd far away. */
const cutAt = (at: string): RowZone => ({
  at,
  servers: [],
  own: ["far1"],
  on: { far: [at === LABEL ? apex : held] },
  asks: ["far1"],
});
/** A zone with the token on these servers of a zone above it. */
const onParents = (at: string, ...own: string[]): RowZone => ({
  at,
  servers: [],
  own,
  on: { has: [held] },
});
/** The child zone far away, which delegates the grandchild to these servers of the grandparent. */
const childOf = (...hosts: string[]): RowZone => ({
  ...cutAt("c"),
  on: { far: hosts.map((host) => `g NS ${host}.rule.com.`) },
});

const BESIDE: [story: string, servers: string[]][] = [
  ["another that answers", ["has1", "not1"]],
  ["three others that answer", ["has1", "not1", "not2", "not3"]],
  ["another whose UDP answers are lost", ["has1", "not1-lost"]],
  ["another that drops capital letters", ["has1", "not1-dropsCapitals"]],
];

/** A server of the zone that delegates the name to a stranger, who has the token; and zones that hide a cut. */
export const CUT_ATTACKS: Attack[] = [
  ...BESIDE.flatMap(([story, servers]) => [
    attack(`the challenge name delegated to a stranger, beside ${story}`, servers, PARTIAL, {
      on: farCut(LABEL),
      others: [cutAt(LABEL)],
    }),
    attack(`a subdomain delegated to a stranger, beside ${story}`, servers, PARTIAL, {
      claims: "shop",
      on: farCut("shop"),
      others: [cutAt("shop")],
    }),
  ]),
  attack(
    "a subdomain delegated to a stranger by one of two, while the other answers only a resolver",
    ["has1", "not1-dark"],
    UNSEEN,
    {
      claims: "shop",
      on: farCut("shop"),
      others: [
        { ...cutAt("shop"), on: { far: [held], not: [] }, asks: [["far1"], ["not1"], ["far1"]] },
      ],
    },
  ),
  attack(
    "a grandchild zone on one server of the grandparent, which the other does not know",
    ["has1", "not1"],
    /^absent /,
    { claims: "g.c", on: { has: [], not: [] }, others: [onParents("g.c", "has1")] },
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
          childOf(),
          { ...onParents("g.c", "has1"), on: { has: [held], far: [] }, asks: ["far1"] },
        ],
      },
    ),
  ),
];

export const CUT_HONEST: Honest[] = [
  honest("a grandchild zone on the grandparent's server", ["has1"], {
    claims: "g.c",
    on: { has: [`c NS ${FAR}`] },
    others: [childOf("has1"), onParents("g.c", "has1")],
  }),
  honest("a grandchild zone on both of the grandparent's servers", ["has1", "has2"], {
    claims: "g.c",
    on: { has: [`c NS ${FAR}`] },
    others: [childOf("has1", "has2"), onParents("g.c", "has1", "has2")],
  }),
  honest("a grandchild zone on one of the grandparent's two servers", ["has1", "not1"], {
    claims: "g.c",
    on: { has: [`c NS ${FAR}`], not: [`c NS ${FAR}`] },
    others: [childOf("has1"), onParents("g.c", "has1")],
  }),
  honest("a child zone on its parent's server", ["has1"], {
    claims: "c",
    on: { has: ["c NS has1.rule.com."] },
    others: [onParents("c", "has1")],
  }),
  honest("a child zone on other servers", ["has1", "has2"], {
    claims: "c",
    on: { has: [`c NS ${FAR}`] },
    others: [cutAt("c")],
  }),
  honest("a child zone on one of its parent's two servers", ["has1", "not1"], {
    claims: "c",
    on: { has: ["c NS has1.rule.com."], not: ["c NS has1.rule.com."] },
    others: [onParents("c", "has1")],
  }),
  honest("a subdomain without a cut", ["has1", "has2"], {
    claims: "shop",
    on: { has: [held.replace(LABEL, `${LABEL}.shop`)] },
  }),
];
