import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The text of a reference file in this folder. */
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
