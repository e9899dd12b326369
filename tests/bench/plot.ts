import type { Growth, Point } from "./benchmark.ts";

const WIDTH = 560;
const HEIGHT = 260;
const LEFT = 64;
const RIGHT = 20;
const TOP = 36;
const BOTTOM = 44;

/** Has its own media query, because the picture is shown on light and on dark pages. */
const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #444 }
  .grid { stroke: #8884; stroke-width: 1 }
  .product { stroke: #1f6f54; fill: #1f6f54 }
  .floor { stroke: #9a5b13; fill: #9a5b13; stroke-dasharray: 5 4 }
  polyline.product, polyline.floor { fill: none; stroke-width: 2 }
  circle.product, circle.floor { stroke: none }
  .key { stroke: none; font-weight: 600 }
  @media (prefers-color-scheme: dark) {
    text { fill: #bbb }
    .product { stroke: #6fd0ab; fill: #6fd0ab }
    .floor { stroke: #e6ab5e; fill: #e6ab5e }
  }
`;

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** Rounds up to 1, 2 or 5 times a power of ten. */
function ceiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}

/** Draws the growth as an SVG: sizes on a logarithmic axis, figures on a linear one that starts at zero. */
export function plot(growth: Growth): string {
  const sizes = growth.points.map(({ size }) => Math.log10(size));
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  const figures = growth.points.flatMap(({ product, floor }) => [product, floor ?? 0]);
  const top = ceiling(Math.max(...figures, Number.MIN_VALUE));
  const x = (size: number) =>
    LEFT + ((Math.log10(size) - least) / (most - least || 1)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM);
  const line = (name: "product" | "floor") => {
    const points = growth.points.flatMap((point: Point) => {
      const value = point[name];
      return value === undefined ? [] : [[x(point.size), y(value)] as const];
    });
    if (points.length === 0) return [];
    const path = points.map(([px, py]) => `${px.toFixed(1)},${py.toFixed(1)}`);
    return [
      `<polyline class="${name}" points="${path.join(" ")}"/>`,
      ...points.map(
        ([px, py]) =>
          `<circle class="${name}" cx="${px.toFixed(1)}" cy="${py.toFixed(1)}" r="3.5"/>`,
      ),
    ];
  };
  const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => {
    const at = y(share * top);
    return [
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}"/>`,
      `<text x="${LEFT - 8}" y="${at + 4}" text-anchor="end">${(share * top).toLocaleString("en-US", { maximumSignificantDigits: 3 })}</text>`,
    ];
  });
  const ticks = growth.points.map(
    ({ size }, at, { length }) =>
      `<text x="${x(size)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="${at < length - 1 ? "middle" : "end"}">${size.toLocaleString("en-US")}</text>`,
  );
  const floor = line("floor");
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${escaped(growth.title)}">`,
    `<style>${STYLE}</style>`,
    ...grid,
    ...ticks,
    ...line("product"),
    ...floor,
    `<text x="${LEFT}" y="18">${escaped(growth.unit)}</text>`,
    `<text x="${WIDTH - RIGHT}" y="${HEIGHT - 8}" text-anchor="end">${escaped(growth.axis)}</text>`,
    `<text class="key product" x="${WIDTH - RIGHT}" y="18" text-anchor="end">Deed</text>`,
    ...(floor.length > 0
      ? [`<text class="key floor" x="${WIDTH - RIGHT - 44}" y="18" text-anchor="end">floor</text>`]
      : []),
    "</svg>",
    "",
  ].join("\n");
}
