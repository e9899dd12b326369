import { readFileSync } from "node:fs";
import { join } from "node:path";
import ipaddr from "ipaddr.js";

export const referenceData = (file: string): string =>
  readFileSync(join(import.meta.dirname, file), "utf8");

/** The blocks (CIDRs) of IANA's two registries of special-purpose addresses. */
export const specialBlocks = (): string[] =>
  [4, 6].flatMap((version) =>
    referenceData(`iana-ipv${version}-special-registry-1.csv`)
      .split(/\r?\n(?=[0-9a-f."]+[.:/])/)
      .slice(1)
      .flatMap((line) => line.match(/[0-9a-f.:]+\/\d+/g) ?? []),
  );

/** First, middle and last address of every block of both registries. */
export function specialAddresses(): string[][] {
  return specialBlocks().map((block) => {
    const [address = "", length = "0"] = block.split("/");
    const bytes = ipaddr.parse(address).toByteArray();
    const filled = (fill: (free: number) => number) =>
      ipaddr
        .fromByteArray(
          bytes.map((byte, at) => {
            const free = 0xff >> Math.min(8, Math.max(0, Number(length) - 8 * at));
            return byte | (free & fill(free));
          }),
        )
        .toString();
    return [...new Set([address, filled((free) => free >> 1), filled(() => 0xff)])];
  });
}
