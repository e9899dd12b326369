import { readFileSync, writeFileSync } from "node:fs";
import type { Growth } from "./benchmark.ts";
import { DOCUMENT, writeBetween } from "./report.ts";

const count = (value: number) => value.toLocaleString("en-US");
const figure = (value: number) => (value >= 100 ? count(Math.round(value)) : value.toPrecision(3));

/** The document's section on one benchmark's growth, as a table. */
function section(growth: Growth): string {
  const hasFloor = growth.points.some(({ floor }) => floor !== undefined);
  const head = [growth.axis, growth.unit, ...(hasFloor ? ["floor"] : [])];
  const rows = growth.points.map(({ size, product, floor }) => [
    count(size),
    figure(product),
    ...(hasFloor ? [floor === undefined ? "–" : figure(floor)] : []),
  ]);
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [
    "",
    `### ${growth.title}`,
    "",
    line(head),
    line(head.map(() => "---:")),
    ...rows.map(line),
    ...(growth.note ? ["", growth.note] : []),
    "",
  ].join("\n");
}

/** Writes one benchmark's growth into its section of the document. */
export function writeGrowth(name: string, growth: Growth): void {
  const marker = `growth ${name}`;
  const text = readFileSync(DOCUMENT, "utf8");
  if (!text.includes(`<!-- ${marker} -->`)) {
    const end = "<!-- /growth -->";
    if (!text.includes(end)) throw new Error(`${DOCUMENT} has no part for growth`);
    writeFileSync(
      DOCUMENT,
      text.replace(end, () => `<!-- ${marker} -->\n<!-- /${marker} -->\n\n${end}`),
    );
  }
  writeBetween(marker, section(growth));
}
