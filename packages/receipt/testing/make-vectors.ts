import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeCases } from "./cases.ts";

/** Writes vectors.json; chains get new keys each time: `npx tsx packages/receipt/testing/make-vectors.ts`. */
const SHORT = 8_000;

const { cases, ...rest } = await makeCases();
const short = cases.filter(({ file }) => file.length < SHORT);
const text = JSON.stringify({ ...rest, cases: short }, null, 1);
writeFileSync(join(import.meta.dirname, "vectors.json"), `${text}\n`);
console.log(`${short.length} vectors, ${text.length} bytes`);
