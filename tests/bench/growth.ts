import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Growth } from "./benchmark.ts";
import { plot } from "./plot.ts";
import { DOCUMENT, writeBetween } from "./report.ts";

const PICTURES = "docs/performance";

const count = (value: number) => value.toLocaleString("en-US");
const figure = (value: number) => (value >= 100 ? count(Math.round(value)) : value.toPrecision(3));

/** The document's section on one benchmark's growth: a table and a plot. */
function section(name: string, growth: Growth): string {
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
    "",
    `![${growth.title}](performance/${name}.svg)`,
    ...(growth.note ? ["", growth.note] : []),
    "",
  ].join("\n");
}

/** Writes one benchmark's growth into its section of the document, and the plot into a file. */
export function writeGrowth(name: string, growth: Growth): void {
  mkdirSync(PICTURES, { recursive: true });
  writeFileSync(`${PICTURES}/${name}.svg`, plot(growth));
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
  writeBetween(marker, section(name, growth));
}
