import * as z from "zod";
import { EvidenceForm } from "./evidence-form.ts";

/** Where a node reads DNS for another. */
export const VANTAGE_PATH = "/api/cluster/read";
/** Octets of a question, and of an answer: 26 servers with 20 values each, and 100 exchanges, are below it. */
export const MAX_QUESTION = 2_048;
export const MAX_ANSWER = 1024 * 1024;

/** What is read, and a nonce, with which no answer to another question fits. */
export const VantageQuestion = z.strictObject({
  nonce: z.string().regex(/^[\w-]{22}$/),
  domain: z.string().regex(/^[a-z0-9._-]{1,253}$/),
  label: z.string().regex(/^[a-z0-9_-]{1,63}$/),
  token: z.string().regex(/^[a-z0-9_-]{1,100}$/),
});

export const VantageAnswer = z.strictObject({ region: z.string(), evidence: EvidenceForm });
