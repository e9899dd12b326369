import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { unpackProduct } from "../../scripts/product.mjs";
import { inName } from "../../scripts/release/version.mjs";

export function deedCommand(): string {
  const command = process.env.DEED_COMMAND;
  if (!command) throw new Error("no product was unpacked for this run");
  return command;
}

/** The packed product's folder with package.json, litefs.yml and docs/. */
export function productFolder(): string {
  return dirname(dirname(deedCommand()));
}

/** Set-up of a run, for Vitest and Playwright: packs the product once and returns a function that removes it. */
export default unpackProduct;

/** The packed product's `deed version`, and its form in file names. */
export function productVersion(): { version: string; inNames: string } {
  const facts = readFileSync(join(productFolder(), "build/commands/facts.json"), "utf8");
  const { version } = JSON.parse(facts);
  return { version, inNames: inName(version) };
}
