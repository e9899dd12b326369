import { CELL, HEIGHT, type PictureParts, ROW, WIDTH } from "./picture-parts.ts";

type Colour = readonly [red: number, green: number, blue: number];
/** `part` of the cell's size, from 1: full, half, a third, a quarter. `top` is where the first line's cell begins. */
type Block = { top: number; part: number; colour: Colour; lines: string[] };

const LEFT = 84;
const INK: Colour = [0x1b, 0x1f, 0x1a];
const SOFT: Colour = [0x59, 0x61, 0x5c];
const PROVED: Colour = [0x1f, 0x5f, 0x4a];
const ONE_LINE = 46;
const widthOf = (part: number) => CELL.width / part;
const columnsOf = (part: number) => Math.floor((WIDTH - 2 * LEFT) / widthOf(part));
const lineOf = (part: number) => Math.round(CELL.height / part);

/** Breaks a name after dots and at signs, and inside a label only where that is longer than a line. */
export function wrapName(name: string, columns: number): string[] {
  const lines = [""];
  for (const label of name.match(/[^.@]*[.@]|[^.@]+/g) ?? []) {
    const pieces = label.length > columns ? [...label] : [label];
    for (const piece of pieces) {
      const line = lines.at(-1) ?? "";
      if (line && line.length + piece.length > columns) lines.push(piece);
      else lines[lines.length - 1] = line + piece;
    }
  }
  return lines;
}

/** The largest part of the full size, from `largest` on, in which a name's lines fit into a height. */
function fitInto(name: string, height: number, largest = 1) {
  for (let part = largest; ; part += 1) {
    const lines = wrapName(name, columnsOf(part));
    if (part === 4 || lines.length * lineOf(part) <= height) return { part, lines };
  }
}

/** What a picture says of a proof. */
export type PictureText = {
  domain: string;
  unicodeDomain: string;
  heldBy: string;
  /** As people read it. */
  moment: string;
};

function layOut({ letters }: PictureParts, text: PictureText): Block[] {
  const isDrawable = (name: string) => [...name].every((letter) => letters.has(letter));
  const name = isDrawable(text.unicodeDomain) ? text.unicodeDomain : text.domain;
  const holder = fitInto(`the holder of ${text.heldBy}`, ONE_LINE, 2);
  const isHolderShown =
    isDrawable(text.heldBy) && holder.lines.length * lineOf(holder.part) <= ONE_LINE;
  const large = { ...fitInto(name, 160), top: 340 };
  const below = large.top + large.lines.length * lineOf(large.part) + 4;
  return [
    { top: 172, part: 2, colour: INK, lines: [`On ${text.moment}`] },
    {
      top: 172 + ONE_LINE,
      colour: INK,
      ...(isHolderShown ? holder : { part: 2, lines: ["the person who asked"] }),
    },
    { top: 172 + 2 * ONE_LINE, part: 2, colour: INK, lines: ["proved control of the DNS of"] },
    { ...large, colour: PROVED },
    ...(name === text.domain
      ? []
      : [{ top: below, colour: SOFT, ...fitInto(text.domain, 580 - below, 2) }]),
  ];
}

/** How dark a pixel of a letter is at a part of its size: the mean of the pixels it stands for. */
function darkness(cell: Buffer, part: number, x: number, y: number): number {
  let sum = 0;
  for (let row = y * part; row < (y + 1) * part; row += 1)
    for (let column = x * part; column < (x + 1) * part; column += 1)
      sum += cell[row * CELL.width + column] ?? 0;
  return sum / (part * part * 255);
}

function drawLetter(
  rows: Buffer,
  cell: Buffer,
  part: number,
  colour: Colour,
  at: [number, number],
) {
  const [left, top] = at;
  for (let y = 0; y < Math.floor(CELL.height / part); y += 1)
    for (let x = 0; x < Math.floor(CELL.width / part); x += 1) {
      const dark = darkness(cell, part, x, y);
      if (dark === 0 || top + y >= HEIGHT || left + x >= WIDTH) continue;
      const offset = (top + y) * ROW + 1 + 3 * (left + x);
      for (const [channel, value] of colour.entries()) {
        const paper = rows[offset + channel] ?? 0;
        rows[offset + channel] = Math.round(paper + (value - paper) * dark);
      }
    }
}

/** The rows of a proof's picture, as in a PNG. What the letters lack is drawn in ASCII, or left out. */
export function drawPicture(parts: PictureParts, text: PictureText): Buffer {
  const rows = Buffer.from(parts.sheet);
  for (const { top, part, colour, lines } of layOut(parts, text))
    for (const [line, content] of lines.entries())
      for (const [column, letter] of [...content].entries()) {
        const cell = parts.letters.get(letter);
        const at: [number, number] = [
          LEFT + Math.floor(column * widthOf(part)),
          top + line * lineOf(part),
        ];
        if (cell) drawLetter(rows, cell, part, colour, at);
      }
  return rows;
}
