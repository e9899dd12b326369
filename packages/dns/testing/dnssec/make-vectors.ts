import { createHash } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { askedOf, CASES, tokenOf, zoneOf } from "./cases.ts";
import { questionsOf, startWorld } from "./world.ts";
import { askYardsticks, prepare } from "./yardsticks.ts";

/**
 * Signs and serves every case, asks the yardsticks, and writes messages and verdicts to vectors.json. Needs knot,
 * knot-dnssecutils, bind9-utils, bind9-dnsutils, ldnsutils and unbound-host of Debian: `npx tsx packages/dns/testing/dnssec/make-vectors.ts`.
 */
const world = await startWorld(20_000 + (process.pid % 20_000));
try {
  await prepare(world);
  const messages = new Map<string, string>();
  const cases: object[] = [];
  for (const one of CASES) {
    const ids: string[] = [];
    for (const question of questionsOf(one)) {
      const bytes = await world.ask(question);
      bytes.fill(0, 0, 2);
      const id = createHash("sha256")
        .update(`${question.name} ${question.type}`)
        .digest("hex")
        .slice(0, 12);
      if (!messages.has(id)) messages.set(id, Buffer.from(bytes).toString("base64"));
      ids.push(id);
    }
    const yardsticks = await askYardsticks(world, askedOf(one), zoneOf(one));
    const { expected, differs } = one;
    const [zone, name, value] = [zoneOf(one), askedOf(one), tokenOf(one)];
    cases.push({ zone, name, value, expected, differs, ...yardsticks, messages: ids });
    const { delv, unbound, ldns } = yardsticks;
    console.log([zone, expected, delv, unbound, ldns].join(" | "));
  }
  const at = Math.floor(Date.now() / 1000);
  const vectors = { at, anchors: world.anchors, messages: Object.fromEntries(messages), cases };
  await writeFile(
    join(import.meta.dirname, "vectors.json"),
    `${JSON.stringify(vectors, null, 1)}\n`,
  );
} finally {
  await world.stop();
  await rm(world.folder, { recursive: true });
}
