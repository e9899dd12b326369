import type { Invention } from "./invention.ts";
import { ON_BIND } from "./on-bind.ts";
import { ON_DNSDIST } from "./on-dnsdist.ts";
import { ON_KNOT } from "./on-knot.ts";
import { ON_NSD } from "./on-nsd.ts";
import { ON_PDNS } from "./on-pdns.ts";

/** Thirty zones written down, with what a friend who knows DNS would say of each, before any was read. */
export const INVENTIONS: Invention[] = [
  ...ON_KNOT,
  ...ON_NSD,
  ...ON_BIND,
  ...ON_PDNS,
  ...ON_DNSDIST,
];
