import type { Case } from "./case.ts";
import { EXCESSES, LAME } from "./lame.ts";
import { MISTAKES } from "./mistakes.ts";
import { PROOFS } from "./proofs.ts";
import { WAITS } from "./waits.ts";

export const CASES: Case[] = [...PROOFS, ...MISTAKES, ...LAME, ...EXCESSES, ...WAITS];
