import { ON_BIND } from "./on-bind.ts";
import { ON_DNSDIST } from "./on-dnsdist.ts";
import { ON_KNOT } from "./on-knot.ts";
import { ON_NSD } from "./on-nsd.ts";
import { ON_PDNS } from "./on-pdns.ts";
import type { Scenario } from "./scenario.ts";

/** Thirty zones, each with the diagnosis a DNS expert would give, written down before any was read. */
export const SCENARIOS: Scenario[] = [...ON_KNOT, ...ON_NSD, ...ON_BIND, ...ON_PDNS, ...ON_DNSDIST];
