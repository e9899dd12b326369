// What the service composes a proof's picture of, drawn at the build so that no renderer ships: the sheet, and one cell
// for each letter of a fixed-width font. See app/services/pictures/picture-parts.ts.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import { initWasm, Resvg } from "@resvg/resvg-wasm";

export const FONTS = "node_modules/dejavu-fonts-ttf";
const [WIDTH, HEIGHT] = [1200, 630];
const CELL = { width: 39, height: 80, size: 64, baseline: 60 };
/** Latin, Greek and Cyrillic. */
const RANGES = [
  [0x21, 0x7e],
  [0xa1, 0x17f],
  [0x386, 0x386],
  [0x388, 0x38a],
  [0x38c, 0x38c],
  [0x38e, 0x3a1],
  [0x3a3, 0x3ce],
  [0x400, 0x45f],
  [0x490, 0x491],
  [0x2022, 0x2022],
];
const CHARACTERS = RANGES.flatMap(([from, to]) =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)),
);

const SHEET = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="DejaVu Sans">
  <rect width="${WIDTH}" height="${HEIGHT}" fill="#fbfaf6"/>
  <g fill="none" stroke="#7d8379" stroke-width="1.5">
    <rect x="28" y="28" width="1144" height="574"/><rect x="36" y="36" width="1128" height="558"/>
  </g>
  <g transform="translate(84 72) scale(2.25)" fill="none" stroke="#1f5f4a" stroke-width="2">
    <circle cx="16" cy="16" r="14"/><circle cx="16" cy="16" r="10.5" stroke-width="0.9"/>
    <path d="M10.5 16.6 14.3 21 21.8 11.4" stroke-width="2.6"/>
  </g>
  <g fill="#59615c">
    <text x="176" y="119" font-size="30">Proof of control</text>
    <text x="1116" y="119" font-size="28" text-anchor="end">Deed</text>
  </g>
</svg>`;

const escaped = (character) => `&#${character.codePointAt(0)};`;
const letters = `<svg xmlns="http://www.w3.org/2000/svg" width="${CELL.width}" height="${CELL.height * CHARACTERS.length}"
  font-family="DejaVu Sans Mono" font-size="${CELL.size}"><rect width="100%" height="100%" fill="#fff"/>
  ${CHARACTERS.map((character, index) => `<text x="0" y="${index * CELL.height + CELL.baseline}">${escaped(character)}</text>`).join("")}
</svg>`;

/** Writes sheet.br (rows of a PNG without filter, RGB), letters.br (darkness, a cell after the other), letters.txt. */
export async function drawPictureParts(folder) {
  await initWasm(readFileSync("node_modules/@resvg/resvg-wasm/index_bg.wasm"));
  const fontBuffers = ["DejaVuSans", "DejaVuSansMono"].map((name) =>
    readFileSync(`${FONTS}/ttf/${name}.ttf`),
  );
  const draw = (svg) => new Resvg(svg, { font: { fontBuffers } }).render().pixels;
  const sheet = Buffer.alloc(HEIGHT * (1 + 3 * WIDTH));
  for (const [index, value] of draw(SHEET).entries()) {
    const [pixel, channel] = [Math.floor(index / 4), index % 4];
    if (channel < 3) sheet[Math.floor(pixel / WIDTH) + 1 + 3 * pixel + channel] = value;
  }
  const dark = draw(letters)
    .filter((_, index) => index % 4 === 0)
    .map((value) => 255 - value);
  mkdirSync(folder);
  writeFileSync(`${folder}/sheet.br`, brotliCompressSync(sheet));
  writeFileSync(`${folder}/letters.br`, brotliCompressSync(dark));
  writeFileSync(`${folder}/letters.txt`, CHARACTERS.join(""));
}
