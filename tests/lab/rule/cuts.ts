import { rows } from "./row.ts";

const BESIDE = [
  ["another that answers", "has1 not1"],
  ["three others that answer", "has1 not1..3"],
  ["another whose UDP answers are lost", "has1 not1-lost"],
  ["another that drops capital letters", "has1 not1-dropsCapitals"],
];
/** A zone that only another zone delegates, and that resolvers find on the knotd far away. */
const FAR = "own=far1 asks=far1";

/** A server of the zone delegates the name to a stranger, who has the token; and zones that hide a cut. */
export const CUT_ATTACKS = [
  ...BESIDE.flatMap(([story, servers]) =>
    rows(
      `
the challenge name delegated to a stranger, beside ${story} | ${servers}
has: _service-challenge NS far1.rule.com.
not:
zone _service-challenge | ${FAR}
far: @ TXT
a subdomain delegated to a stranger, beside ${story} | ${servers} | claims=shop
has: shop NS far1.rule.com.
not:
zone shop | ${FAR}
far: _service-challenge TXT`,
      "comesTo=partial",
    ),
  ),
  ...rows(`
a subdomain delegated to a stranger by one of two, while the other answers only a resolver \
| has1 not1-dark | claims=shop comesTo=unseen
has: shop NS far1.rule.com.
not:
zone shop | own=far1 asks=far1/not1/far1
far: _service-challenge TXT
not:
a grandchild zone on one server of the grandparent, which the other does not know \
| has1 not1 | claims=g.c comesTo=absent
has:
not:
zone g.c | own=has1
has: _service-challenge TXT`),
  ...["unbound", "none"].flatMap((resolvers) =>
    rows(`
a grandchild zone on the grandparent's server, which the child zone does not know; resolvers: ${resolvers} \
| has1 | claims=g.c resolvers=${resolvers} comesTo=absent
has: c NS far1.rule.com.
zone c | ${FAR}
far:
zone g.c | own=has1 asks=far1
has: _service-challenge TXT
far:`),
  ),
];

export const CUT_HONEST = rows(`
a grandchild zone on the grandparent's server | has1 | claims=g.c
has: c NS far1.rule.com.
zone c | ${FAR}
far: g NS has1.rule.com.
zone g.c | own=has1
has: _service-challenge TXT

a grandchild zone on both of the grandparent's servers | has1..2 | claims=g.c
has: c NS far1.rule.com.
zone c | ${FAR}
far: g NS has1.rule.com.
far: g NS has2.rule.com.
zone g.c | own=has1,has2
has: _service-challenge TXT

a grandchild zone on one of the grandparent's two servers | has1 not1 | claims=g.c
has: c NS far1.rule.com.
not: c NS far1.rule.com.
zone c | ${FAR}
far: g NS has1.rule.com.
zone g.c | own=has1
has: _service-challenge TXT

a child zone on its parent's server | has1 | claims=c
has: c NS has1.rule.com.
zone c | own=has1
has: _service-challenge TXT

a child zone on other servers | has1..2 | claims=c
has: c NS far1.rule.com.
zone c | ${FAR}
far: _service-challenge TXT

a child zone on one of its parent's two servers | has1 not1 | claims=c
has: c NS has1.rule.com.
not: c NS has1.rule.com.
zone c | own=has1
has: _service-challenge TXT

a subdomain without a cut | has1..2 | claims=shop
has: _service-challenge.shop TXT`);
