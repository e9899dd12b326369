import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A file and its expected verdict: "good", or "part: code" of the first wrong part. */
export type Case = { name: string; file: string; expected: string };

/** Receipts, good ones and every kind of forgery, for one key and one anchor. Made by make-vectors.ts. */
export const VECTORS = JSON.parse(
  readFileSync(join(import.meta.dirname, "vectors.json"), "utf8"),
) as { kid: string; anchor: string; cases: Case[] };
