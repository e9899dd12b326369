import { expect, it } from "vitest";
import { CHECK_ROWS } from "../testing/rows-check.ts";
import { inWorld, netOf } from "../testing/world.ts";
import { check } from "./index.ts";

const FIRST_NET = 3_830;

/** For questions one after another; a row needs at most nine reads. */
const MOST_PACKETS = 160;

it.concurrent.each(CHECK_ROWS.map((row, index) => ({ ...row, index })))(
  "$expected: $name",
  async (row) => {
    const { setup, question, expected, tells, says, never, index } = row;
    const net = netOf(FIRST_NET + index);
    const found = await inWorld(setup(net), net, ({ settings }) => check(question, settings));
    expect(found.code ?? found.wait?.reason ?? found.outcome).toBe(expected);
    for (const facts of tells) expect(found).toMatchObject(facts);
    const words = `${found.cause}\n${found.fix}`;
    for (const phrase of says) expect(words).toMatch(phrase);
    for (const phrase of never) expect(words).not.toMatch(phrase);
    expect(found.packets).toBeLessThanOrEqual(MOST_PACKETS);
  },
);
